import Analysis

/// The words on issues that are no events, with their constants.
let trendFormulas: [FormulaRow] = IssueTrends.statements().map {
    FormulaRow(name: $0.name, text: $0.text, source: nil)
}
