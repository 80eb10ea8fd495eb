"""The documentation as a site: pages gathered from the repository and made from the protos, built and checked offline."""
