import ts from 'typescript'

/** One mutation: its line and function, and the mutated file. */
export type Mutant = {
  file: string
  line: number
  within: string | null
  was: string
  is: string
  text: string
}
type Change = { from: number; to: number; is: string; within?: string | null }

/** Lists every mutation of a file, in its code and in the SQL it contains. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const changes: Change[] = []
  const visit = (node: ts.Node): void => {
    changes.push(...changesOf(node, source).map((one) => ({ ...one, within: functionOf(node) })))
    // Types decide nothing at run time.
    if (!ts.isTypeNode(node) && !ts.isImportDeclaration(node) && !ts.isTypeAliasDeclaration(node))
      ts.forEachChild(node, visit)
  }
  visit(source)
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line
  return changes.map(({ from, to, is, within = null }) => ({
    file,
    line: lineAt(from) + 1,
    within,
    was: oneLine(text.slice(from, to)),
    is: oneLine(is),
    text: text.slice(0, from) + is + text.slice(to),
  }))
}

/** Returns the name of the nearest named function, as the engine reports it. */
function functionOf(node: ts.Node): string | null {
  for (let at: ts.Node | undefined = node.parent; at !== undefined; at = at.parent) {
    if (!ts.isFunctionLike(at)) continue
    const named = at.name ?? (hasName(at.parent) ? at.parent.name : undefined)
    if (named !== undefined && ts.isIdentifier(named)) return named.text
  }
  return null
}

const hasName = (node: ts.Node) => ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 80) || '(nothing)'

const swapped = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
])

/** SQL mutations, word by word. */
const sqlWords: [pattern: RegExp, is: string][] = [
  [/\band\b/g, 'or'],
  [/\bor\b/g, 'and'],
  [/\bis not null\b/g, 'is null'],
  [/\bis null\b/g, 'is not null'],
  [/ <= /g, ' < '],
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/ desc\b/g, ''],
  [/, (?:\w+\.)?id\b(?: desc)?/g, ''],
  [/\bfor (?:no key )?update(?: skip locked)?|\bfor (?:key )?share/g, ''],
  [/\bon conflict .*$/gm, ''],
]

function changesOf(node: ts.Node, source: ts.SourceFile): Change[] {
  const whole = (is: string): Change => ({ from: node.getStart(source), to: node.getEnd(), is })
  if (ts.isBinaryExpression(node)) {
    const { operatorToken: token } = node
    if (token.kind === ts.SyntaxKind.QuestionQuestionToken) return [whole(node.left.getText(source))]
    const is = swapped.get(token.kind)
    return is === undefined ? [] : [{ from: token.getStart(source), to: token.getEnd(), is }]
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [whole(node.operand.getText(source))]
  if (ts.isIfStatement(node) && node.elseStatement === undefined) return [whole('')]
  if (ts.isConditionalExpression(node))
    return [whole(node.whenTrue.getText(source)), whole(node.whenFalse.getText(source))]
  if (ts.isExpressionStatement(node)) return [whole('')]
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [whole('false')]
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [whole('true')]
  if (ts.isNumericLiteral(node)) return [whole(`${Number(node.text.replaceAll('_', '')) + 1}`)]
  if (ts.isTemplateLiteralToken(node) && isSql(node, source)) return inSql(node, source)
  return []
}

/** Returns true for a part of an `sql` template. */
function isSql(node: ts.Node, source: ts.SourceFile): boolean {
  const holder = ts.findAncestor(node, ts.isTaggedTemplateExpression)
  return holder?.tag.getText(source).startsWith('sql') ?? false
}

function inSql(node: ts.Node, source: ts.SourceFile): Change[] {
  const [start, text] = [node.getStart(source), node.getText(source)]
  return sqlWords.flatMap(([pattern, is]) =>
    Array.from(text.matchAll(pattern), ({ index, 0: was }) => ({
      from: start + index,
      to: start + index + was.length,
      is,
    })),
  )
}
