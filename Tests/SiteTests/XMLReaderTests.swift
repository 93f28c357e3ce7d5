import Testing

@testable import Site

struct XMLReaderTests {
    @Test(arguments: [
        "<a/>",
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<a b='c'><!-- d --><e>f &amp; &#39; &#x1F6A2;</e></a>\n",
        "<a><![CDATA[<b> & ]]></a>", "<x:a xmlns:x=\"u\"/>", "\u{FEFF}<a/>", "<a b=\"1\" c='\"'></a >",
    ])
    func wellFormed(text: String) { #expect(xmlFault(Array(text.utf8))?.what == nil) }

    @Test(arguments: [
        ("", "there is no element"), ("<a>", "<a> is never closed"), ("<a></b>", "</b> closes <a>"),
        ("<a/></a>", "</a> closes nothing"), ("<a/><b/>", "a second element <b> beside the first"),
        ("<a b=c/>", "the value of 'b' stands in no quotes"), ("<a b/>", "the attribute 'b' has no value"),
        ("<a b='1' b='2'/>", "'b' stands twice in <a>"), ("<a b='<'/>", "'<' in the value of 'b'"),
        ("<a b='c/>", "the value of 'b' never ends"), ("<a b='1'c='2'/>", "<a is not closed"),
        ("<a>&nbsp;</a>", "the reference '&nbsp;' is not known"), ("<a>a & b</a>", "a bare '&'"),
        ("<a>&#0;</a>", "the reference '&#0;' is not known"), ("<a>\u{1}</a>", "a control character"),
        ("<a>]]></a>", "']]>' in a text"), ("<a><!-- a -- b --></a>", "'--' in a comment"),
        ("<a><!-- a", "a comment is never closed"), ("x<a/>", "text outside of the element"),
        ("<a/>x", "text outside of the element"),
        ("<a>< b</a>", "a '<' that begins no tag, or a tag without a name"),
        ("<!DOCTYPE a><a/>", "a document type declaration, which readers may refuse"),
        (" <?xml version='1.0'?><a/>", "the XML declaration is not at the start"),
    ])
    func fault(text: String, what: String) { #expect(xmlFault(Array(text.utf8))?.what == what) }

    @Test func faultHasItsLine() { #expect(xmlFault(Array("<a>\n<b>\n</c></b></a>".utf8))?.line == 3) }

    @Test func bytesThatAreNoTextAreAFault() {
        #expect(xmlFault([0x3C, 0x61, 0xFF])?.what == "it is not UTF-8 text")
    }
}
