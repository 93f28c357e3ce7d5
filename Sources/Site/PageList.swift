/// The pages of an app, each made when it is requested: those of thousands of issues take no memory before.
struct PageList: RandomAccessCollection, Sendable {
    private struct Run: Sendable {
        let end: Int
        let page: @Sendable (Int) -> PageFile
    }

    private var runs: [Run] = []

    var startIndex: Int { 0 }
    var endIndex: Int { runs.last?.end ?? 0 }

    init(_ pages: [PageFile]) { self.init(of: pages) { $0 } }

    /// A page for each of some values.
    init<Value: Sendable>(of values: [Value], page: @escaping @Sendable (Value) -> PageFile) {
        runs = [Run(end: values.count) { page(values[$0]) }]
    }

    subscript(place: Int) -> PageFile {
        let run = runs.firstIndex { place < $0.end } ?? runs.endIndex
        return runs[run].page(place - (run == 0 ? 0 : runs[run - 1].end))
    }

    static func + (first: PageList, second: PageList) -> PageList {
        var whole = first
        let count = first.count
        whole.runs += second.runs.map { Run(end: count + $0.end, page: $0.page) }
        return whole
    }
}
