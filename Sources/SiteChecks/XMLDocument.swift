import CExpat
import Diagnostics
import Markup

/// Why a document is not well-formed XML, and where.
package struct XMLFault: Error, Hashable {
    /// What is wrong, such as `mismatched tag`.
    package let what: String
    /// The line, from 1.
    package let line: Int
}

/// Why a document is not well-formed by XML 1.0; nil when it is.
///
/// expat reads it as UTF-8, whatever its declaration says. A document type declaration is a fault, so that no entity
/// is ever defined and nothing is fetched; so are elements nested deeper than `depth` and documents of more than 64 MiB.
package func xmlFault(_ bytes: [UInt8], depth: Int = 256) -> XMLFault? {
    guard bytes.count <= 64 << 20 else { return XMLFault(what: "more than 64 MiB", line: 1) }
    guard let parser = unsafe XML_ParserCreate("UTF-8") else {
        return XMLFault(what: "no memory to read it", line: 1)
    }
    defer { unsafe XML_ParserFree(parser) }
    var reading = unsafe Reading(parser: parser, room: depth)
    let isRead = unsafe withUnsafeMutablePointer(to: &reading) { reading in
        unsafe XML_SetUserData(parser, reading)
        unsafe XML_SetElementHandler(
            parser, { data, _, _ in unsafe enter(data) }, { data, _ in unsafe leave(data) })
        unsafe XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
            unsafe stop(data, "a document type declaration, which readers may refuse")
        }
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe XML_Parse(
                parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 1)
        } == XML_STATUS_OK
    }
    guard !isRead else { return nil }
    let known = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map { unsafe String(cString: $0) }
    return unsafe XMLFault(
        what: reading.reason ?? known ?? "unknown fault", line: Int(XML_GetCurrentLineNumber(parser)))
}

/// What the handlers of one reading share; the pointer to it is good while `xmlFault` reads.
@unsafe private struct Reading {
    let parser: XML_Parser
    /// How many more elements may be open at once.
    var room: Int
    /// Why the reading was stopped, when it was not expat that stopped it.
    var reason: String?
}

@unsafe private func enter(_ data: UnsafeMutableRawPointer?) {
    guard let reading = unsafe data?.assumingMemoryBound(to: Reading.self) else { return }
    unsafe reading.pointee.room -= 1
    if unsafe reading.pointee.room < 0 { unsafe stop(data, "elements nested too deeply") }
}

@unsafe private func leave(_ data: UnsafeMutableRawPointer?) {
    unsafe data?.assumingMemoryBound(to: Reading.self).pointee.room += 1
}

@unsafe private func stop(_ data: UnsafeMutableRawPointer?, _ reason: String) {
    guard let reading = unsafe data?.assumingMemoryBound(to: Reading.self) else { return }
    unsafe reading.pointee.reason = reason
    _ = unsafe XML_StopParser(reading.pointee.parser, 0)
}

/// XML documents that a reader would refuse: drawings, feeds, the sitemap.
struct WellFormednessCheck: SiteCheck {
    private var faults: [Finding] = []

    mutating func look(at file: BuiltFile) {
        guard file.kind == .xml, let fault = xmlFault(file.bytes) else { return }
        faults.append(
            Finding(
                "xml", "Not well-formed XML: \(fault.what)", in: file.path, line: fault.line,
                hint: "correct the template that writes it, or the file of the theme"))
    }

    func findings() -> [Finding] { faults }
}
