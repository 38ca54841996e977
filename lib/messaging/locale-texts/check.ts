import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { hasAddress } from '@/lib/base/mail-and-sms/values'
import type { FieldError } from '@/lib/base/runtime/errors'

type Fault = Omit<FieldError, 'field'>

/** What a message uses: its tags, and the ways in which each argument is shown. */
type Uses = { tags: Set<string>; arguments: Map<string, Set<string>> }

const kinds: Partial<Record<TYPE, string>> = {
  [TYPE.number]: 'number',
  [TYPE.date]: 'date',
  [TYPE.time]: 'time',
  [TYPE.select]: 'select',
  [TYPE.plural]: 'plural',
}

/** The way in which a node shows its argument, with its style: another style may fail when it is shown. */
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
    const known = uses.arguments.get(node.value) ?? new Set()
    uses.arguments.set(node.value, known.add(kindOf(node)))
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

/** Whether an argument that the source shows in these ways is a number. */
const isNumber = (ways: Set<string>) => [...ways].some((way) => way.startsWith('plural') || way.startsWith('number'))

/** Whether an argument that the source shows in these ways may be shown in this way too. */
function mayBe(way: string, ways: Set<string>): boolean {
  if (ways.has(way)) return true
  // a date alone is no text, and a word is no number
  if (way === 'plain') return ![...ways].some((one) => one.startsWith('date') || one.startsWith('time'))
  if (way.startsWith('plural') || way === 'number') return isNumber(ways)
  return false
}

type Nodes = readonly MessageFormatElement[]

/** Returns what a text consists of, or why it is no message. */
function read(text: string): { nodes: Nodes } | { fault: Fault } {
  try {
    const nodes = parse(text)
    if (!hasOffset(nodes)) return { nodes }
    // the build's own reader of messages knows none
    return { fault: { code: 'errorTextSyntax', params: { line: 1, column: text.indexOf('offset') + 1 } } }
  } catch (error) {
    const { line = 1, column = 1 } = (error as Placed).location?.start ?? {}
    return { fault: { code: 'errorTextSyntax', params: { line, column } } }
  }
}

/** Returns why what a text consists of can't stand where the source does. */
function usesFault(nodes: Nodes, source: Nodes): Fault | null {
  const [allowed, uses] = [usesOf(source), usesOf(nodes)]
  for (const tag of uses.tags) if (!allowed.tags.has(tag)) return { code: 'errorTextTag', params: { name: tag } }
  for (const tag of allowed.tags) if (!uses.tags.has(tag)) return { code: 'errorTextNoTag', params: { name: tag } }
  for (const [name, ways] of uses.arguments) {
    const known = allowed.arguments.get(name)
    if (!known) return { code: 'errorTextArgument', params: { name } }
    if ([...ways].some((way) => !mayBe(way, known))) return { code: 'errorTextKind', params: { name } }
  }
  return null
}

/** Arguments without which a mail or an SMS says nothing: they must be shown, whatever branch is taken. */
const needed: readonly string[] = ['code', 'title', 'text']

/** Whether each way through a message meets a node like this. */
const always = (nodes: Nodes, is: (node: MessageFormatElement) => boolean): boolean =>
  nodes.some((node) => {
    if (is(node)) return true
    if (node.type === TYPE.tag) return always(node.children, is)
    if (node.type !== TYPE.plural && node.type !== TYPE.select) return false
    return Object.values(node.options).every(({ value }) => always(value, is))
  })

const isWord = (node: MessageFormatElement) =>
  node.type === TYPE.literal
    ? /[^\s\p{C}]/u.test(node.value)
    : node.type !== TYPE.tag && node.type !== TYPE.plural && node.type !== TYPE.select

/** Whether a key is that of a text of a mail or an SMS. */
const isMessageKey = (key: string) => /^(?:mail|sms)\./.test(key)

/** How much of what stands before a place an address there may begin with, and how many such ends are told apart. */
const reach = 4
const mostEnds = 64
/** Stands for the code of a message: a noncharacter, which no text has. */
const codeSign = '\ufdd0'
/** A code stands alone: only spaces, quotes and brackets are before it, and what ends a sentence or its part behind it. */
const attached = new RegExp(
  `[^\\s\\p{Ps}\\p{Pi}"„]${codeSign}|${codeSign}(?:[^\\s\\p{Pe}\\p{Pf}".,;:!?…“]|[.,;:!?…][^\\s\\p{Pe}\\p{Pf}"“])`,
  'u',
)

/**
 * Returns with what a text may end after these nodes, whichever branches are taken and whatever word stands for a name;
 * or its fault, if an address may come of it or its code be a part of a word (docs/rules/messages.md#own-words).
 */
function endsOf(nodes: Nodes, before: ReadonlySet<string>): Set<string> | Fault {
  let ends = new Set(before)
  for (const node of nodes) {
    const branches = node.type === TYPE.plural || node.type === TYPE.select ? Object.values(node.options) : []
    const parts = node.type === TYPE.tag ? [node.children] : branches.map(({ value }) => value)
    const next = new Set<string>()
    for (const part of parts) {
      const of = endsOf(part, ends)
      if (!(of instanceof Set)) return of
      for (const end of of) next.add(end)
    }
    const isCode = node.type === TYPE.argument && node.value === 'code'
    const words = node.type === TYPE.literal ? node.value : isCode ? codeSign : 'xx'
    for (const end of parts.length > 0 ? [] : ends) {
      const text = end + words
      if (attached.test(text)) return { code: 'errorTextAttached', params: { name: 'code' } }
      if (hasAddress(text)) return { code: 'errorTextAddress' }
      next.add(text.slice(-reach))
    }
    if (next.size > mostEnds) return { code: 'errorTextAddress' }
    ends = next
  }
  return ends
}

/** Returns why a message can't say this: it leaves out what it is to bring, may say nothing, or has an address. */
function messageFault(nodes: Nodes, source: Nodes): Fault | null {
  for (const name of needed) {
    const shows = (node: MessageFormatElement) => node.type === TYPE.argument && node.value === name
    if (always(source, shows) && !always(nodes, shows)) return { code: 'errorTextRequired', params: { name } }
  }
  if (!always(nodes, isWord)) return { code: 'errorTextBlank' }
  const ends = endsOf(nodes, new Set(['']))
  return ends instanceof Set ? null : ends
}

/**
 * Returns why a text can't stand at its key, in place of its source; null if it can. It must be a message (ICU) whose
 * tags and arguments the source has too, each shown in a way that its value allows
 * (docs/rules/texts-and-look.md#own-texts); a mail or an SMS also says what it is to bring, and has no address
 * (docs/rules/messages.md#own-words).
 */
export function ownTextFault(key: string, text: string, source: string): Fault | null {
  const got = read(text)
  if ('fault' in got) return got.fault
  if (/[\r\n\u0085\u2028\u2029]/.test(text) && !source.includes('\n')) return { code: 'errorTextLines' }
  const shipped = parse(source)
  return usesFault(got.nodes, shipped) ?? (isMessageKey(key) ? messageFault(got.nodes, shipped) : null)
}

/** Returns the names that a text may use, and those of them that it must. */
export function argumentsOf(source: string): { name: string; needed: boolean }[] {
  const nodes = parse(source)
  return [...usesOf(nodes).arguments.keys()].map((name) => ({
    name,
    needed: needed.includes(name) && always(nodes, (node) => node.type === TYPE.argument && node.value === name),
  }))
}
