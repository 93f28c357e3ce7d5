/// What the methods page says on every site.
package let fixedTexts: [String] =
    (standardFormulas + trendFormulas).flatMap { [$0.name, $0.text, $0.source ?? ""] }
    + standardStates.flatMap { [$0.name, $0.value] }
