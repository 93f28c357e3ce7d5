import Statistics

/// The standard confidence in words: `95 %`.
package let standardConfidenceText = PercentFormat.levelText(standardConfidence)
