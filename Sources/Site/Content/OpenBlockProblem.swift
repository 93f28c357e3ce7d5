import Diagnostics
import Markup

/// What is said of a block that an author did not end: all that is below it is code, or not shown.
///
/// - Parameter firstLine: the line of the file on which the text begins, counted from 1.
func problem(ofOpenBlockIn text: String, path: String, firstLine: Int) -> Diagnostic? {
    guard let block = openBlock(inCommonMark: text) else { return nil }
    let (summary, hint) =
        switch block.kind {
        case .code(let fence):
            ("Code fence is not closed", "end it with a line '\(fence)': all text below it is shown as code")
        case .comment: ("HTML comment is not closed", "end it with '-->': no text below it is shown")
        }
    return .warning(
        "content.open-block", summary, at: .file(path: path, line: firstLine + block.line - 1, column: 1),
        hints: [hint])
}
