/// The texts of the methods page that are the same on every site.
package let fixedTexts: [String] =
    (standardFormulas + trendFormulas).flatMap { [$0.name, $0.text, $0.source ?? ""] }
    + standardStates.flatMap { [$0.label, $0.text] }
