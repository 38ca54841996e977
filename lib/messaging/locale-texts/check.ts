import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { hasAddress } from '@/lib/base/mail-and-sms/values'
import type { FieldError } from '@/lib/base/runtime/errors'

type Fault = Omit<FieldError, 'field'>

/** The tags of a message, and the formats of each of its arguments. */
type Uses = { tags: Set<string>; arguments: Map<string, Set<string>> }

const kinds: Partial<Record<TYPE, string>> = {
  [TYPE.number]: 'number',
  [TYPE.date]: 'date',
  [TYPE.time]: 'time',
  [TYPE.select]: 'select',
  [TYPE.plural]: 'plural',
}

/** Returns the format of a node's argument, with its style: a message with another style may fail at runtime. */
function kindOf(node: MessageFormatElement): string {
  const kind = kinds[node.type] ?? 'plain'
  if (node.type === TYPE.plural) return `${kind} ${node.pluralType}`
  if (!('style' in node) || !node.style) return kind
  const style = typeof node.style === 'string' ? node.style : Object.entries(node.style.parsedOptions).sort()
  return `${kind} ${JSON.stringify(style)}`
}

function usesOf(nodes: readonly MessageFormatElement[], uses: Uses = { tags: new Set(), arguments: new Map() }): Uses {
  for (const node of nodes) {
    if (node.type === TYPE.literal || node.type === TYPE.pound) continue
    if (node.type === TYPE.tag) {
      uses.tags.add(node.value)
      usesOf(node.children, uses)
      continue
    }
    const ways = uses.arguments.get(node.value) ?? new Set()
    uses.arguments.set(node.value, ways.add(kindOf(node)))
    if (node.type === TYPE.select || node.type === TYPE.plural)
      for (const { value } of Object.values(node.options)) usesOf(value, uses)
  }
  return uses
}

const hasOffset = (nodes: readonly MessageFormatElement[]): boolean =>
  nodes.some((node) => {
    if (node.type === TYPE.tag) return hasOffset(node.children)
    if (node.type !== TYPE.plural && node.type !== TYPE.select) return false
    const inside = Object.values(node.options).some(({ value }) => hasOffset(value))
    return inside || (node.type === TYPE.plural && Boolean(node.offset))
  })

type Placed = { location?: { start?: { line: number; column: number } } }

/** Whether an argument that has these formats in the source is a number. */
const isNumber = (ways: Set<string>) => [...ways].some((way) => way.startsWith('plural') || way.startsWith('number'))

/** Whether an argument that has the formats `ways` in the source may have the format `way`. */
function mayShow(way: string, ways: Set<string>): boolean {
  if (ways.has(way)) return true
  // a date can't be shown as plain text, and a text can't be shown as a number
  if (way === 'plain') return ![...ways].some((shownWay) => shownWay.startsWith('date') || shownWay.startsWith('time'))
  if (way.startsWith('plural') || way === 'number') return isNumber(ways)
  return false
}

type Nodes = readonly MessageFormatElement[]

/** Returns the nodes of a text, or the fault if it is no message (ICU). */
function parseText(text: string): { nodes: Nodes } | { fault: Fault } {
  try {
    const nodes = parse(text)
    if (!hasOffset(nodes)) return { nodes }
    // the message parser of the build doesn't support an offset
    return { fault: { code: 'errorTextSyntax', params: { line: 1, column: text.indexOf('offset') + 1 } } }
  } catch (error) {
    const { line = 1, column = 1 } = (error as Placed).location?.start ?? {}
    return { fault: { code: 'errorTextSyntax', params: { line, column } } }
  }
}

/** Returns the fault of a text with other tags or arguments than its source; null if there is none. */
function usesFault(nodes: Nodes, source: Nodes): Fault | null {
  const [allowed, uses] = [usesOf(source), usesOf(nodes)]
  for (const tag of uses.tags) if (!allowed.tags.has(tag)) return { code: 'errorTextTag', params: { name: tag } }
  for (const tag of allowed.tags) if (!uses.tags.has(tag)) return { code: 'errorTextNoTag', params: { name: tag } }
  for (const [name, ways] of uses.arguments) {
    const allowedWays = allowed.arguments.get(name)
    if (!allowedWays) return { code: 'errorTextArgument', params: { name } }
    if ([...ways].some((way) => !mayShow(way, allowedWays))) return { code: 'errorTextKind', params: { name } }
  }
  return null
}

/** Arguments without which a mail or an SMS is useless: every branch must contain them. */
const needed: readonly string[] = ['code', 'title', 'text']

/** Whether every path through a message contains a node that matches. */
const onEveryPath = (nodes: Nodes, matches: (node: MessageFormatElement) => boolean): boolean =>
  nodes.some((node) => {
    if (matches(node)) return true
    if (node.type === TYPE.tag) return onEveryPath(node.children, matches)
    if (node.type !== TYPE.plural && node.type !== TYPE.select) return false
    return Object.values(node.options).every(({ value }) => onEveryPath(value, matches))
  })

const isWord = (node: MessageFormatElement) =>
  node.type === TYPE.literal
    ? /[^\s\p{C}]/u.test(node.value)
    : node.type !== TYPE.tag && node.type !== TYPE.plural && node.type !== TYPE.select

/** Whether a key names a text of a mail or an SMS. */
const isMessageKey = (key: string) => /^(?:mail|sms)\./.test(key)

/**
 * How many characters before a node are checked for the beginning of an address, and the most different endings that
 * are tracked.
 */
const endLength = 4
const mostEnds = 64
/** Stands for the code of a message: a noncharacter, which no text contains. */
const codeSign = '\ufdd0'
/**
 * Matches a code that is attached to a word: before a code only spaces, quotes and brackets are allowed, after it also
 * punctuation.
 */
const attached = new RegExp(
  `[^\\s\\p{Ps}\\p{Pi}"„]${codeSign}|${codeSign}(?:[^\\s\\p{Pe}\\p{Pf}".,;:!?…“]|[.,;:!?…][^\\s\\p{Pe}\\p{Pf}"“])`,
  'u',
)

/**
 * Returns the possible endings of a text after these nodes, for all branches and with a word in place of each argument;
 * or the fault if the text may contain an address or its code may be a part of a word
 * (docs/rules/messages.md#own-words).
 */
function endsOf(nodes: Nodes, before: ReadonlySet<string>): Set<string> | Fault {
  let ends = new Set(before)
  for (const node of nodes) {
    const branches = node.type === TYPE.plural || node.type === TYPE.select ? Object.values(node.options) : []
    const parts = node.type === TYPE.tag ? [node.children] : branches.map(({ value }) => value)
    const next = new Set<string>()
    for (const part of parts) {
      const partEnds = endsOf(part, ends)
      if (!(partEnds instanceof Set)) return partEnds
      for (const end of partEnds) next.add(end)
    }
    const isCode = node.type === TYPE.argument && node.value === 'code'
    const words = node.type === TYPE.literal ? node.value : isCode ? codeSign : 'xx'
    for (const end of parts.length > 0 ? [] : ends) {
      const text = end + words
      if (attached.test(text)) return { code: 'errorTextAttached', params: { name: 'code' } }
      if (hasAddress(text)) return { code: 'errorTextAddress' }
      next.add(text.slice(-endLength))
    }
    if (next.size > mostEnds) return { code: 'errorTextAddress' }
    ends = next
  }
  return ends
}

/**
 * Returns the fault of a text of a mail or an SMS: a needed argument is missing, it may be blank, or it has an address.
 */
function messageFault(nodes: Nodes, source: Nodes): Fault | null {
  for (const name of needed) {
    const shows = (node: MessageFormatElement) => node.type === TYPE.argument && node.value === name
    if (onEveryPath(source, shows) && !onEveryPath(nodes, shows)) return { code: 'errorTextRequired', params: { name } }
  }
  if (!onEveryPath(nodes, isWord)) return { code: 'errorTextBlank' }
  const ends = endsOf(nodes, new Set(['']))
  return ends instanceof Set ? null : ends
}

/**
 * Returns the fault of an own text for a key with this source; null if there is none. The text must be a message (ICU)
 * with the tags and arguments of the source, each in a format that its value allows
 * (docs/rules/texts-and-look.md#own-texts). A text of a mail or an SMS must also contain the needed arguments, and no
 * address (docs/rules/messages.md#own-words).
 */
export function ownTextFault(key: string, text: string, source: string): Fault | null {
  const parsed = parseText(text)
  if ('fault' in parsed) return parsed.fault
  if (/[\r\n\u0085\u2028\u2029]/.test(text) && !source.includes('\n')) return { code: 'errorTextLines' }
  const sourceNodes = parse(source)
  return usesFault(parsed.nodes, sourceNodes) ?? (isMessageKey(key) ? messageFault(parsed.nodes, sourceNodes) : null)
}

/** Returns the names of the arguments that a text may use, and whether it needs each of them. */
export function argumentsOf(source: string): { name: string; needed: boolean }[] {
  const nodes = parse(source)
  return [...usesOf(nodes).arguments.keys()].map((name) => ({
    name,
    needed: needed.includes(name) && onEveryPath(nodes, (node) => node.type === TYPE.argument && node.value === name),
  }))
}
