/// The confidence of every interval that is shown, in 0…1.
package let standardConfidence = 0.95

/// The standard confidence in words: `95 %`.
package let standardConfidenceText = PercentFormat.levelText(standardConfidence)
