//! Details of a failure that a proxy cut, so that they are no base64 any more: tonic panics at them.

use http::{HeaderMap, Response};
use http_body_util::BodyExt;
use tonic::body::Body;
use tonic::metadata::MetadataMap;

const DETAILS: &str = "grpc-status-details-bin";

/// The answer without details that cannot be read, be they in its headers or its trailers: a failure without details is one
/// all the same.
pub(crate) fn readable(response: Response<Body>) -> Response<Body> {
    let (mut head, body) = response.into_parts();
    leave_out_unreadable(&mut head.headers);
    let body = body.map_frame(|mut frame| {
        if let Some(trailers) = frame.trailers_mut() {
            leave_out_unreadable(trailers);
        }
        frame
    });
    Response::from_parts(head, Body::new(body))
}

fn leave_out_unreadable(headers: &mut HeaderMap) {
    let Some(value) = headers.get(DETAILS) else { return };
    let alone =
        MetadataMap::from_headers([(http::HeaderName::from_static(DETAILS), value.clone())].into_iter().collect());
    if alone.get_bin(DETAILS).is_none_or(|details| details.to_bytes().is_err()) {
        headers.remove(DETAILS);
    }
}
