import Testing

@testable import Site

struct StyleTests {
    @Test(arguments: [
        ("a { color : red ; }", "a{color :red}"), ("/* a */ p {} /* b */", "p{}"),
        ("p{margin:1px/* a */2px/**/ 3px /**/4px}", "p{margin:1px/**/2px 3px 4px}"),
        ("a/**/b, c/**/.d/**/:e/**/[f]{g:/**/h/**/;i:j(/**/k/**/)/**/}", "a/**/b,c/**/.d:e[f]{g:h;i:j(k)}"),
        ("p{a:b/**//* c */(d)}", "p{a:b/**/(d)}"), ("@import/* a */\"x.css\"", "@import/**/\"x.css\""),
        ("a  b\n>\tc, d {x: y}", "a b>c,d{x:y}"),
        ("p{width:calc(1px + 2px)}", "p{width:calc(1px + 2px)}"),
        ("p::before {content: \"a  /* b */  { }\"}", "p::before{content:\"a  /* b */  { }\"}"),
        ("p {content: 'it\\'s  so'; a: b}", "p{content:'it\\'s  so';a:b}"),
        ("p {background: url( a  b.png )}", "p{background:url(a  b.png )}"),
        ("p {background: url(data:image/png;base64,//8=)}", "p{background:url(data:image/png;base64,//8=)}"),
        ("a :hover {b: c}", "a :hover{b:c}"),
        ("p {margin: 0.5em -0.2em; b: 10.5}", "p{margin:.5em -.2em;b:10.5}"),
        ("@media (min-width: 3em) and (color) { a {b: c} }", "@media (min-width:3em) and (color){a{b:c}}"),
        ("/* never closed", ""), ("p {a: \"never closed", "p{a:\"never closed"), ("", ""),
    ])
    func compactFormMeansTheSame(sheet: String, expected: String) {
        let compact = String(decoding: compactStyle(Array(sheet.utf8)), as: UTF8.self)
        #expect(compact == expected)
        #expect(compactStyle(Array(compact.utf8)) == Array(compact.utf8))
    }

    @Test(arguments: [
        ("p {a: url(x.png)}", ["x.png"]), ("p {a: URL( 'x.png' )}", ["x.png"]),
        ("@import \"a.css\"; @import url(b.css);", ["a.css", "b.css"]),
        ("@import/**/\"a.css\"; @IMPORT /* x */ /**/ URL(b.css);", ["a.css", "b.css"]),
        ("@import \"a.css\" /**/ \"b\"; p {content: /* @import */ \"c\"}", ["a.css"]),
        ("/* url(x.png) */ p {content: \"url(y.png)\"}", []), ("p {a: nourl(x)}", []),
        ("@namespace svg url(http://www.w3.org/2000/svg); @import url(b.css);", ["b.css"]),
        ("@NAMESPACE/**/url( 'http://a' ); p {a: url(x.png)}", ["x.png"]), ("@namespace \"a\"", []),
        ("p {a: url(a.svg#x), url(\"b.svg?y\")}", ["a.svg#x", "b.svg?y"]), ("p {a: url(", []),
    ])
    func addressesAreFound(sheet: String, expected: [String]) {
        let bytes = Array(sheet.utf8)
        let found = styleTokens(bytes).filter { $0.kind == .address }.map {
            String(decoding: bytes[$0.range], as: UTF8.self)
        }
        #expect(found == expected)
    }
}
