// control and format characters (direction marks, invisible ones), line and paragraph separators: no place in a line
const unwanted = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu
const longest = 200

/** Cuts to so many characters, whole ones, with an ellipsis for what is gone. */
export function shortened(text: string, length: number): string {
  const signs = [...text]
  return signs.length > length
    ? `${signs
        .slice(0, Math.max(0, length - 1))
        .join('')
        .trimEnd()}…`
    : text
}

/** One line of somebody's text: no control or direction characters, single spaces, at most 200 characters. */
export const oneLine = (text: string) => shortened(text.replace(unwanted, ' ').replace(/\s+/g, ' ').trim(), longest)

/** Several lines likewise. */
export const manyLines = (text: string) =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replace(unwanted, ' ').replace(/\s+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/**
 * The same text, but mail programs find no address in it to make a link of: a word joiner, which nobody sees, stands
 * in each address. Links come only from what is meant as one.
 */
export const unlinked = (text: string) =>
  text.replace(/:(?=\/\/)/g, ':\u2060').replace(/(?<=[\p{L}\p{N}_-])\.(?=\p{L}[\p{L}\p{N}-])/gu, '.\u2060')

/** How a person is greeted; empty when what stands in the name looks like an address. */
export const greetable = (name: string) => (/:\/\/|www\.|[@/\\]|\p{L}\.\p{L}{2}/iu.test(name) ? '' : oneLine(name))

/** A whole web address, or empty when it is none. */
export function webAddress(link: string): string {
  if (!URL.canParse(link)) return ''
  const { protocol, href, username } = new URL(link)
  return (protocol === 'https:' || protocol === 'http:') && !username ? href : ''
}

type Unit = 'minutes' | 'hours' | 'days'

/** A duration in the units that people name it in, largest first: 5400 is one hour and 30 minutes, a day is 24 hours. */
export function unitsOf(seconds: number): [unit: Unit, count: number][] {
  const minutes = Math.max(1, Math.round(seconds / 60))
  if (minutes >= 48 * 60) return [['days', Math.round(minutes / (24 * 60))]]
  const parts: [Unit, number][] = [
    ['hours', Math.floor(minutes / 60)],
    ['minutes', minutes % 60],
  ]
  return parts.filter(([, count]) => count > 0)
}
