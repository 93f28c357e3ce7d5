package import Markup

/// A page template that was resolved against its page model; renders any number of pages, on any thread.
package struct Template<Page: TemplateModel>: Sendable {
    private let program: Program
    private let routine: Int

    init(program: Program, routine: Int) {
        self.program = program
        self.routine = routine
    }

    /// What the template writes.
    package var language: OutputLanguage { program.language }

    /// Writes the page; cannot fail, since every name was checked when the template was loaded.
    package func render(_ page: Page, into writer: inout ByteWriter) {
        unsafe withUnsafePointer(to: page) {
            unsafe Execution.run(program, routine: routine, page: UnsafeRawPointer($0), into: &writer)
        }
    }

    /// The page as a string, for tests and for short texts.
    package func rendered(_ page: Page) -> String {
        var writer = ByteWriter()
        render(page, into: &writer)
        return writer.text
    }
}
