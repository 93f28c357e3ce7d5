import Statistics

/// A value and its bounds where they are drawn, in tenths of a unit.
struct Vertex: Hashable, Sendable {
    var x: Int
    var y: Int
    var upperY: Int
    var lowerY: Int
    var hasBounds: Bool
    /// Whether the line begins here: nothing is drawn from the vertex before.
    var isStart: Bool
}

/// The vertices of a series in order; where many days share a pixel, only the extremes of each are kept.
func vertices(_ series: DaySeries, unit: ChartUnit, _ x: DateScale, _ y: LinearScale) -> [Vertex] {
    var result: [Vertex] = []
    result.reserveCapacity(series.points.count)
    var isStart = true
    for (index, point) in series.points.enumerated() {
        guard case .value(let value, let interval) = point.content else {
            isStart = true
            continue
        }
        let place = y(unit.onAxis(value))
        var vertex = Vertex(
            x: x.center(index), y: place, upperY: place, lowerY: place, hasBounds: false, isStart: isStart)
        if let interval {
            vertex.upperY = y(unit.onAxis(interval.upper))
            vertex.lowerY = y(unit.onAxis(interval.lower))
            vertex.hasBounds = true
        }
        result.append(vertex)
        isStart = false
    }
    return x.columnWidth < 5 ? thinned(result) : result
}

/// At most four vertices for each pixel of a run: the first, the highest, the lowest and the last.
private func thinned(_ vertices: [Vertex]) -> [Vertex] {
    var result: [Vertex] = []
    var begin = 0
    while begin < vertices.count {
        var end = begin + 1
        var (high, low) = (begin, begin)
        while end < vertices.count, !vertices[end].isStart, vertices[end].x / 10 == vertices[begin].x / 10 {
            if vertices[end].y < vertices[high].y { high = end }
            if vertices[end].y > vertices[low].y { low = end }
            end += 1
        }
        for index in Set([begin, high, low, end - 1]).sorted() { result.append(vertices[index]) }
        begin = end
    }
    return result
}
