import Testing

@testable import Providers

struct NextCursorTests {
    @Test(
        arguments: [
            (
                #"<https://h/?cursor=0:0:1>; rel="previous"; results="false"; cursor="0:0:1", "#
                    + #"<https://h/?cursor=0:100:0>; rel="next"; results="true"; cursor="0:100:0""#,
                .cursor("0:100:0")
            ),
            (#"<https://h/?cursor=0:100:0>; rel="next"; results="false"; cursor="0:100:0""#, .none),
            (#"{'<https://h/?cursor=bz0x>; rel="next"; results="true"; cursor="bz0x"'}"#, .cursor("bz0x")),
            (#"{'<https://h/?a=1>; rel="next"; results="false"'}"#, .none),
            (
                #"{'<https://h/?a=1>; rel="previous"; results="false"', '<https://h/>; rel="next"; results="true"; cursor="2"'}"#,
                .cursor("2")
            ),
            (#"<https://h/?a=1&cursor=0%3A5%3A0>; rel="next""#, .cursor("0:5:0")),
            (#"<https://h/?a=1>; rel="next""#, .none),
            (#"<https://h/?a=1>; rel="next"; results="true""#, .missing),
            (#"<https://h/>; rel="next"; results="true"; cursor="""#, .missing), ("", .none), ("{'", .none),
            (#"<a>; rel="next"; results="true"; cursor="\#(String(repeating: "9", count: 1001))""#, .missing),
        ] as [(String, NextCursor)])
    func findsTheCursor(header: String, expected: NextCursor) {
        #expect(NextCursor(in: [header]) == expected)
        #expect(NextCursor(in: []) == .none)
    }
}
