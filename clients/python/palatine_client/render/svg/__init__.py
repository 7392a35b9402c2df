"""Pictures of games as SVG, made from the document that a viewer sees."""
