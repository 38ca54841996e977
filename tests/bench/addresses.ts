import { clientIp } from '@/lib/base/limits/client-ip'
import { compileLists, type ListedEntry, verdictOf } from '@/lib/network/access-lists/verdict'
import { median } from './load'

/** The name of these cases, for `ONLY`. */
export const addressCase = 'address check'
const entriesCount = 10_000
const checks = 20_000

const part = (n: number, at: number) => (n >> (8 * at)) & 255
const v4 = (n: number) => `${11 + (part(n, 2) % 80)}.${part(n, 1)}.${part(n, 0)}.${part(n * 7, 0)}`
const v6 = (n: number) => `2001:db8:${(n & 0xffff).toString(16)}:${((n * 7) & 0xffff).toString(16)}`

const kinds: [string, (n: number) => string][] = [
  ['IPv4', (n) => v4(n * 13)],
  ['IPv6', (n) => `${v6(n * 13)}::7`],
  ['mapped', (n) => `::ffff:${v4(n * 13)}`],
]

/** As many entries, half of them the subnets of aliases, which are compiled one by one; every length of a prefix. */
function entries(): ListedEntry[] {
  return Array.from({ length: entriesCount }, (_, n): ListedEntry => {
    const six = n % 3 === 0
    // each length of a prefix, and few so large that they decide everything
    const bits = six ? 48 + (n % 81) : 16 + (n % 17)
    const dateTo = n % 5 === 0 ? new Date(Date.now() + n * 1_000) : null
    const list = n % 2 === 0 ? 'whitelist' : 'blacklist'
    return { list, subnet: `${six ? `${v6(n)}::` : v4(n)}/${bits}`, dateFrom: null, dateTo }
  })
}

/**
 * Measures what a request's check costs with ten thousand entries (docs/quality.md#s17): the verdict alone, and with the
 * reading of the client's address behind two proxies. Prints microseconds, the median of the rounds.
 */
export function measureAddresses(rounds: number) {
  const lists = compileLists(entries())
  const proxies = ['10.0.0.0/8', '192.0.2.0/24']
  const now = new Date()
  for (const [kind, addressOf] of kinds) {
    const addresses = Array.from({ length: checks }, (_, n) => addressOf(n))
    const round = (ipOf: (address: string) => string) => {
      const began = process.hrtime.bigint()
      let denied = 0
      for (const address of addresses) if (verdictOf(lists, true, ipOf(address), now) === 'denied') denied++
      return { us: Number(process.hrtime.bigint() - began) / 1_000 / checks, denied }
    }
    const alone = (address: string) => address
    const behind = (address: string) => clientIp('10.1.2.3', `${address}, 192.0.2.7`, proxies)
    for (const ipOf of [alone, behind]) round(ipOf)
    const done = Array.from({ length: rounds }, () => ({ verdict: round(alone), whole: round(behind) }))
    const of = (which: 'verdict' | 'whole') => median(done.map((each) => each[which].us)).toFixed(2)
    const share = Math.round((100 * (done[0]?.verdict.denied ?? 0)) / checks)
    console.log(
      `${addressCase}, ${kind}: ${of('verdict')} µs, behind proxies ${of('whole')} µs; ${entriesCount} entries, ${share} % denied`,
    )
  }
}
