import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** The titles of a file's tests, those of a `test.each` once for each of its rows. Skipped ones have none. */
export function titlesOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  const constants = new Map<string, ts.Expression>()
  const titles: string[] = []
  visit(source)
  return titles

  function visit(node: ts.Node): void {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      constants.set(node.name.text, node.initializer)
    if (ts.isCallExpression(node)) titles.push(...titlesIn(node))
    ts.forEachChild(node, visit)
  }

  function titlesIn({ expression: callee, arguments: [title] }: ts.CallExpression): string[] {
    if (title === undefined || !ts.isStringLiteralLike(title)) return []
    if (isNamed(callee, 'test')) return [title.text]
    if (!ts.isCallExpression(callee) || !ts.isPropertyAccessExpression(callee.expression)) return []
    const { expression: test, name: each } = callee.expression
    if (!isNamed(test, 'test') || !isNamed(each, 'each')) return []
    // The first word alone matters: it may name the route.
    const words = /^[^%]*%s/.test(title.text) ? wordsOf(callee.arguments[0]) : []
    return words.length === 0 ? [title.text] : words.map((word) => title.text.replace('%s', word))
  }

  /** The first word of each row; none where rows are computed. */
  function wordsOf(rows: ts.Expression | undefined): string[] {
    if (rows === undefined) return []
    if (ts.isAsExpression(rows)) return wordsOf(rows.expression)
    if (ts.isIdentifier(rows)) return wordsOf(constants.get(rows.text))
    if (!ts.isArrayLiteralExpression(rows)) return []
    return rows.elements.flatMap((row) => {
      if (ts.isSpreadElement(row)) return wordsOf(row.expression)
      if (ts.isStringLiteralLike(row)) return [row.text]
      return wordsOf(row).slice(0, 1)
    })
  }
}

const isNamed = (node: ts.Node, name: string) => ts.isIdentifier(node) && node.text === name
