/// The confidence of every interval that is shown, in 0…1.
package let standardConfidence = 0.95
