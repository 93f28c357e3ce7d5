import Diagnostics
import Markup

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
