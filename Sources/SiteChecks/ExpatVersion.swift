private import CExpat

/// The version of the library that reads XML.
package var expatVersion: String {
    let text = unsafe String(cString: XML_ExpatVersion())
    return text.hasPrefix("expat_") ? String(text.dropFirst(6)) : text
}
