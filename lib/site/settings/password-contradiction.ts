import { CharSet, type Concatenation, DFA, type Element, JS, NFA, type NoParent } from 'refa'
import type { Settings } from './definitions'

/** The settings that a new password must all fulfil; a fault is shown at the first one that was changed. */
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

const lastCodePoint = 0x10ffff
/** The longest password, whatever passwordMax says (docs/rules/passwords.md#rules). */
const longestPassword = 256
/** The most nodes of an automaton: a rule that would need a larger one counts as one that can be fulfilled. */
const mostNodes = 2_000

/** Two characters that no password contains mark its beginning and its end, so that ^ and $ become characters. */
const [beginMark, endMark] = [0xf_fffe, 0xf_ffff]
const setOf = (...ranges: { min: number; max: number }[]) => CharSet.empty(lastCodePoint).union(ranges)
const markers = setOf({ min: beginMark, max: endMark })
/** The characters of passwords: no control characters and no halves of surrogate pairs. */
const typeable = CharSet.all(lastCodePoint).without(
  markers.union([
    { min: 0, max: 0x1f },
    { min: 0x7f, max: 0x9f },
    { min: 0xd800, max: 0xdfff },
  ]),
)

const sequence = (...elements: Part[]): Sequence => ({ type: 'Concatenation', elements })
const repeated = (characters: CharSet, min: number): Part => ({
  type: 'Quantifier',
  min,
  max: Number.POSITIVE_INFINITY,
  lazy: false,
  alternatives: [sequence({ type: 'CharacterClass', characters })],
})
const automaton = (...alternatives: Sequence[]) =>
  NFA.fromRegex(
    alternatives,
    { maxCharacter: lastCodePoint },
    { assertions: 'throw' },
    new NFA.LimitedNodeFactory(mostNodes),
  )

/** Returns the marker of the end that an assertion asks for; null for any other assertion, such as \b. */
function edgeOf({ negate, kind, alternatives }: Part & { type: 'Assertion' }): number | null {
  const [alternative, ...furtherAlternatives] = alternatives
  const [element, ...furtherElements] = alternative?.elements ?? []
  const isAny = element?.type === 'CharacterClass' && element.characters.isAll
  if (!negate || !isAny || furtherAlternatives.length + furtherElements.length > 0) return null
  return kind === 'behind' ? beginMark : endMark
}

/**
 * Replaces ^ and $ with the markers, and removes the markers from all character classes. Throws for other assertions.
 */
function withMarks(choices: { alternatives: Sequence[] }): void {
  const marked = (part: Part): Part => {
    if (part.type === 'CharacterClass') return { ...part, characters: part.characters.without(markers) }
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

/** Returns an automaton of the marked texts that match a pattern. Throws if it would be too large. */
function containing(pattern: string): DFA {
  const { expression } = JS.Parser.fromLiteral({ source: `(?:${pattern})`, flags: 'u' }).parse({ assertions: 'parse' })
  withMarks(expression)
  const any = repeated(CharSet.all(lastCodePoint), 0)
  const large = automaton(...expression.alternatives.map(({ elements }) => sequence(any, ...elements, any)))
  const small = DFA.fromFA(large, new DFA.LimitedNodeFactory(mostNodes))
  small.minimize()
  return small
}

/** Returns whether the automaton accepts a text whose length without the markers is within the bounds. */
function hasLength({ initial, finals }: NFA, { min, max }: { min: number; max: number }): boolean {
  const isMark = (characters: CharSet) => characters.isSubsetOf(markers)
  const marked = (nodes: Set<NFA.Node>) => {
    // the loop also reads the nodes that it adds
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

/** Returns the rules as patterns, those with ^ or $ first, because only these can contradict each other. */
function patternsOf(demands: PasswordDemands): string[] {
  const customPatterns = demands.passwordCustomRules.map(({ pattern }) => pattern)
  const patterns = [
    ...customPatterns,
    ...(demands.passwordLowercase ? ['\\p{Ll}'] : []),
    ...(demands.passwordUppercase ? ['\\p{Lu}'] : []),
    ...(demands.passwordNumbers ? ['\\d'] : []),
    ...(demands.passwordSymbols ? [`[${[...demands.passwordSymbols].map(escaped).join('')}]`] : []),
  ]
  const isBound = (pattern: string) => /[$^]/.test(pattern)
  return [...patterns.filter(isBound), ...patterns.filter((pattern) => !isBound(pattern))]
}

/**
 * Returns whether no password could fulfil all of these settings (docs/rules/settings.md#refused). A case that is too
 * large to decide counts as no contradiction, so settings that can be fulfilled are never refused.
 */
export function isContradiction(demands: PasswordDemands): boolean {
  const edge = (marker: number) => repeated(setOf({ min: marker, max: marker }), 1)
  let fulfilled = automaton(sequence(edge(beginMark), repeated(typeable, 0), edge(endMark)))
  for (const pattern of patternsOf(demands))
    try {
      fulfilled = NFA.fromIntersection(fulfilled, containing(pattern), new NFA.LimitedNodeFactory(mostNodes))
      if (fulfilled.isEmpty) return true
    } catch {
      // the pattern is too large or can't be an automaton: the others are compared without it
    }
  return !hasLength(fulfilled, { min: demands.passwordMin, max: demands.passwordMax ?? longestPassword })
}
