import Foundation
import FoundationXML

/// What a parser found in an XML document.
final class XMLTree: NSObject, XMLParserDelegate {
    private(set) var texts: [(element: String, text: String)] = []
    private(set) var attributes: [(element: String, name: String, value: String)] = []
    private var open: [String] = []

    /// Nil when the document is not well-formed.
    init?(_ bytes: [UInt8]) {
        super.init()
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = self
        guard parser.parse() else { return nil }
    }

    /// The texts of all elements of this name.
    func all(_ element: String) -> [String] { texts.filter { $0.element == element }.map(\.text) }

    /// The values of an attribute of all elements.
    func all(attribute: String) -> [String] { attributes.filter { $0.name == attribute }.map(\.value) }

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes found: [String: String]
    ) {
        open.append(element)
        texts.append((element, ""))
        attributes += found.sorted { $0.key < $1.key }.map { (element, $0.key, $0.value) }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        guard let element = open.last, let index = texts.lastIndex(where: { $0.element == element }) else {
            return
        }
        texts[index].text += string
    }

    func parser(
        _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
    ) {
        open.removeLast()
    }
}
