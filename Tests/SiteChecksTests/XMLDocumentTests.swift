import Testing

@testable import SiteChecks

struct XMLDocumentTests {
    @Test(arguments: [
        "<a/>",
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<a b='c'><!-- d --><e>f &amp; &#39; &#x1F6A2;</e></a>\n",
        "<a><![CDATA[<b> & ]]></a>", "<x:a xmlns:x=\"u\"/>", "\u{FEFF}<a/>", "<a b=\"1\" c='\"'></a >",
    ])
    func soundDocumentHasNoFault(text: String) { #expect(xmlFault(Array(text.utf8)) == nil) }

    @Test(arguments: [
        ("", "no element found"), ("<a>", "no element found"), ("<a></b>", "mismatched tag"),
        ("<a/></a>", "not well-formed (invalid token)"), ("<a/><b/>", "junk after document element"),
        ("<a b=c/>", "not well-formed (invalid token)"), ("<a b/>", "not well-formed (invalid token)"),
        ("<a b='1' b='2'/>", "duplicate attribute"), ("<a b='<'/>", "not well-formed (invalid token)"),
        ("<a b='c/>", "unclosed token"), ("<a b='1'c='2'/>", "not well-formed (invalid token)"),
        ("<a>&nbsp;</a>", "undefined entity"), ("<a>a & b</a>", "not well-formed (invalid token)"),
        ("<a>&#0;</a>", "reference to invalid character number"),
        ("<a>\u{1}</a>", "not well-formed (invalid token)"),
        ("<a>]]></a>", "not well-formed (invalid token)"),
        ("<a><!-- a -- b --></a>", "not well-formed (invalid token)"), ("<a><!-- a", "unclosed token"),
        ("x<a/>", "not well-formed (invalid token)"), ("<a/>x", "junk after document element"),
        ("<a>< b</a>", "not well-formed (invalid token)"),
        ("<!DOCTYPE a><a/>", "a document type declaration, which readers may refuse"),
        (
            "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>",
            "a document type declaration, which readers may refuse"
        ),
        (" <?xml version='1.0'?><a/>", "XML or text declaration not at start of entity"),
    ])
    func brokenDocumentHasAFault(text: String, what: String) {
        #expect(xmlFault(Array(text.utf8))?.what == what)
    }

    @Test func faultHasItsLine() { #expect(xmlFault(Array("<a>\n<b>\n</c></b></a>".utf8))?.line == 3) }

    /// The encoding that a document declares is not believed.
    @Test(arguments: [
        [0x3C, 0x61, 0xFF] as [UInt8],
        [UInt8]("<?xml version='1.0' encoding='utf-16'?><a>\u{E9}</a>".utf8.dropLast(4)),
    ])
    func bytesThatAreNoUTF8AreAFault(bytes: [UInt8]) { #expect(xmlFault(bytes) != nil) }

    @Test(arguments: [(256, true), (257, false)])
    func depthIsBounded(depth: Int, isSound: Bool) {
        let text = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        #expect((xmlFault(Array(text.utf8)) == nil) == isSound)
    }
}
