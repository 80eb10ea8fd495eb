"""The documentation as a site: pages of the repository and pages made from the protos, built and checked offline."""
