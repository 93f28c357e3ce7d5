import Testing

@testable import Providers

struct NextLinkTests {
    @Test(arguments: [
        (#"<https://h/p?offset=65c002>; rel="next""#, "https://h/p?offset=65c002"),
        (
            #"<https://h/p?page_token=a%7Cb%7C0&per_page=1>; rel="next""#,
            "https://h/p?page_token=a%7Cb%7C0&per_page=1"
        ),
        (#"<https://h/1>; rel="prev", <https://h/3>; rel="next""#, "https://h/3"),
        (#"<https://h/1>; title="a, b"; rel=prev,<https://h/3>;rel=next"#, "https://h/3"),
        (#"<https://h/p?a=1,2>; rel="last next""#, "https://h/p?a=1,2"),
        (#"</p?offset=5>; REL="Next""#, "/p?offset=5"),
        (#"<https://h/1>; rel="nextish""#, nil), (#"<https://h/1>"#, nil), ("", nil), ("<", nil), ("<a", nil),
        (#"<https://h/1>; rel="next"#, "https://h/1"), (">; rel=next <", nil), ("<a>; rel", nil),
        (",,,;;=", nil),
    ])
    func findsTheNextPage(header: String, expected: String?) {
        #expect(nextLink(in: header) == expected)
    }
}
