import Analysis
import AppHealth
import Diagnostics
import Pages

/// The owner's texts with what their fences show, gathered app by app while a site is built.
struct LiveContent: Sendable {
    /// The pages with their blocks.
    private(set) var pages: [(page: ContentFolder.Page, blocks: LiveBlocks)]
    /// What is wrong with notes.
    private(set) var noteProblems: [Diagnostic] = []
    private var index: LiveBlocks
    private var methodsBlocks: LiveBlocks
    private let content: ContentFolder

    /// Nothing is gathered yet.
    init(_ content: ContentFolder) {
        self.content = content
        pages = content.pages.map { ($0, LiveBlocks($0.path, fences: $0.text.fences)) }
        index = LiveBlocks(.portfolio, fences: content.introduction?.fences ?? [])
        methodsBlocks = LiveBlocks(.methods, fences: content.methods?.fences ?? [])
    }

    /// The words for the entry page.
    var introduction: ContentBody? {
        index.introduction(content.introduction?.source, markdown: content.introduction?.markdown)
    }

    /// The words for the methods page.
    var methods: ContentBody? {
        methodsBlocks.introduction(content.methods?.source, markdown: content.methods?.markdown)
    }

    /// The blocks of the entry page.
    var entryBlocks: LiveBlocks { index }

    /// Whether any text requests something about an app.
    func requests(_ app: Slug) -> Bool {
        pages.contains { $0.blocks.requests(app) } || index.requests(app) || methodsBlocks.requests(app)
    }

    /// Gathers what is requested about an app.
    mutating func gather(from analysis: AppAnalysis) {
        for page in pages.indices { pages[page].blocks.gather(from: analysis) }
        index.gather(from: analysis)
        methodsBlocks.gather(from: analysis)
    }

    /// Adds what is wrong with notes on an app.
    mutating func add(_ problems: [Diagnostic]) { noteProblems += problems }

    /// Gathers what is requested about all apps together.
    ///
    /// - Throws: what fences request that is unknown; no page of the site then takes its place.
    mutating func finish(with digests: [AppSummaryRow]) throws(Diagnostics) {
        for page in pages.indices { pages[page].blocks.gather(from: digests) }
        index.gather(from: digests)
        methodsBlocks.gather(from: digests)
        let problems = pages.flatMap(\.blocks.problems) + index.problems + methodsBlocks.problems
        if !problems.isEmpty { throw Diagnostics(problems) }
    }
}
