import { CharSet, type Concatenation, DFA, type Element, JS, NFA, type NoParent } from 'refa'
import type { Settings } from './definitions'

/** The settings that a new password has to fulfil all at once; a fault is shown at the first one that was changed. */
export const passwordRuleIds = [
  'passwordCustomRules',
  'passwordMax',
  'passwordMin',
  'passwordSymbols',
  'passwordUppercase',
  'passwordLowercase',
  'passwordNumbers',
] as const

export type PasswordDemands = Pick<Settings, (typeof passwordRuleIds)[number]>

type Part = NoParent<Element>
type Sequence = NoParent<Concatenation>

const last = 0x10ffff
/** The longest password, whatever passwordMax says (docs/rules/passwords.md#rules). */
const longest = 256
/** A larger automaton isn't made: a rule that would need one counts as one that can be fulfilled. */
const mostNodes = 2_000

/** Two characters that no password has stand for its beginning and its end, so that ^ and $ are characters too. */
const [begin, end] = [0xf_fffe, 0xf_ffff]
const setOf = (...ranges: { min: number; max: number }[]) => CharSet.empty(last).union(ranges)
const marks = setOf({ min: begin, max: end })
/** What a password may consist of: no control characters and no halves of surrogate pairs. */
const typed = CharSet.all(last).without(
  marks.union([
    { min: 0, max: 0x1f },
    { min: 0x7f, max: 0x9f },
    { min: 0xd800, max: 0xdfff },
  ]),
)

const sequence = (...elements: Part[]): Sequence => ({ type: 'Concatenation', elements })
const some = (characters: CharSet, min: number): Part => ({
  type: 'Quantifier',
  min,
  max: Number.POSITIVE_INFINITY,
  lazy: false,
  alternatives: [sequence({ type: 'CharacterClass', characters })],
})
const automaton = (...alternatives: Sequence[]) =>
  NFA.fromRegex(alternatives, { maxCharacter: last }, { assertions: 'throw' }, new NFA.LimitedNodeFactory(mostNodes))

/** Which end of the text an assertion asks for; null for any other, such as \b. */
function edgeOf({ negate, kind, alternatives }: Part & { type: 'Assertion' }): number | null {
  const [only, ...more] = alternatives
  const [one, ...others] = only?.elements ?? []
  const isAny = one?.type === 'CharacterClass' && one.characters.isAll
  if (!negate || !isAny || more.length + others.length > 0) return null
  return kind === 'behind' ? begin : end
}

/** Puts the marks in the place of ^ and $, and takes them from all other characters. Throws for other assertions. */
function withMarks(choices: { alternatives: Sequence[] }): void {
  const marked = (part: Part): Part => {
    if (part.type === 'CharacterClass') return { ...part, characters: part.characters.without(marks) }
    if (part.type === 'Assertion') {
      const edge = edgeOf(part)
      if (edge === null) throw new Error('an assertion that is neither ^ nor $')
      return { type: 'CharacterClass', characters: setOf({ min: edge, max: edge }) }
    }
    if (part.type !== 'Unknown') withMarks(part)
    return part
  }
  for (const choice of choices.alternatives) choice.elements = choice.elements.map(marked)
}

/** Returns an automaton of the marked texts in which a pattern is found. Throws for one that is too large. */
function containing(pattern: string): DFA {
  const { expression } = JS.Parser.fromLiteral({ source: `(?:${pattern})`, flags: 'u' }).parse({ assertions: 'parse' })
  withMarks(expression)
  const any = some(CharSet.all(last), 0)
  const found = automaton(...expression.alternatives.map(({ elements }) => sequence(any, ...elements, any)))
  const small = DFA.fromFA(found, new DFA.LimitedNodeFactory(mostNodes))
  small.minimize()
  return small
}

/** Returns whether the automaton has a text whose length without its marks is within the bounds. */
function hasLength({ initial, finals }: NFA, { min, max }: { min: number; max: number }): boolean {
  const isMark = (characters: CharSet) => characters.isSubsetOf(marks)
  const marked = (nodes: Set<NFA.Node>) => {
    // a set is read on while it grows
    for (const node of nodes) for (const [next, by] of node.out) if (isMark(by)) nodes.add(next)
    return nodes
  }
  let nodes = marked(new Set([initial]))
  for (let length = 0; length <= max && nodes.size > 0; length++) {
    if (length >= min && [...nodes].some((node) => finals.has(node))) return true
    const reached = [...nodes].flatMap((node) => [...node.out].flatMap(([next, by]) => (isMark(by) ? [] : [next])))
    nodes = marked(new Set(reached))
  }
  return false
}

const escaped = (sign: string) => `\\u{${sign.codePointAt(0)?.toString(16)}}`

/** The demands as patterns, those with ^ or $ first: they alone can exclude one another. */
function patternsOf(demands: PasswordDemands): string[] {
  const own = demands.passwordCustomRules.map(({ pattern }) => pattern)
  const all = [
    ...own,
    ...(demands.passwordLowercase ? ['\\p{Ll}'] : []),
    ...(demands.passwordUppercase ? ['\\p{Lu}'] : []),
    ...(demands.passwordNumbers ? ['\\d'] : []),
    ...(demands.passwordSymbols ? [`[${[...demands.passwordSymbols].map(escaped).join('')}]`] : []),
  ]
  const isBound = (pattern: string) => /[$^]/.test(pattern)
  return [...all.filter(isBound), ...all.filter((pattern) => !isBound(pattern))]
}

/**
 * Returns whether no password could fulfil all of these settings (docs/rules/settings.md#refused). What is too large to
 * be decided counts as no contradiction, so nothing that can be fulfilled is ever refused.
 */
export function isContradiction(demands: PasswordDemands): boolean {
  const edge = (at: number) => some(setOf({ min: at, max: at }), 1)
  let fulfilled = automaton(sequence(edge(begin), some(typed, 0), edge(end)))
  for (const pattern of patternsOf(demands))
    try {
      fulfilled = NFA.fromIntersection(fulfilled, containing(pattern), new NFA.LimitedNodeFactory(mostNodes))
      if (fulfilled.isEmpty) return true
    } catch {
      // too large, or more than an automaton can say: the others are compared without it
    }
  return !hasLength(fulfilled, { min: demands.passwordMin, max: demands.passwordMax ?? longest })
}
