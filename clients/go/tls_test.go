package burraco_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"

	"burraco"
	"burraco/burracopb"
)

// selfSigned is a certificate of loopback, and who trusts it.
func selfSigned(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	content, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(content)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{content}, PrivateKey: key}, pool
}

func TestTLS(t *testing.T) {
	certificate, trusted := selfSigned(t)
	service := serve(t, answers(&burracopb.ListPresetsResponse{}), credentials.NewServerTLSFromCert(&certificate))
	trusting := dial(t, service.address, burraco.WithTLS(&tls.Config{RootCAs: trusted}), burraco.WithAPIKey("key"))
	if err := listPresets(t.Context(), trusting); err != nil {
		t.Error(err)
	}
	for name, option := range map[string]burraco.Option{
		"the system's authorities": burraco.WithTLS(nil),
		"nobody":                   burraco.WithTLS(&tls.Config{RootCAs: x509.NewCertPool()}),
		"no TLS":                   burraco.WithTimeout(time.Second),
	} {
		client := dial(t, service.address, option, burraco.WithSeatToken("token"))
		failed := burraco.FromError(listPresets(t.Context(), client))
		if failed == nil || failed.Code != codes.Unavailable && failed.Code != codes.DeadlineExceeded {
			t.Errorf("%s: %v", name, failed)
		}
	}
	if requests := service.asked(); len(requests) != 1 {
		t.Errorf("%d requests", len(requests))
	}
}
