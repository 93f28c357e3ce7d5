/// The address of the next page in a `Link` header (RFC 8288), as it was sent; nil when there is none.
///
/// `<https://host/path?offset=5>; rel="next", <…>; rel="last"`
func nextLink(in header: String) -> String? {
    links(in: header).first(where: \.isNext)?.target
}
