import { check, checkAll, generateTypes, isWell, style, types } from './check/parts'

const startedAt = Date.now()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))
const typed = async () => {
  const made = await check(generateTypes)
  return made.well ? [made, await check(types)] : [made]
}
// two at a time: the type check takes about as long as all others together
const results = (await Promise.all([typed(), checkAll(style)])).flat()
const slowest = results.toSorted((a, b) => b.seconds - a.seconds)[0]
const total = ((Date.now() - startedAt) / 1000).toFixed(1)
console.log(`${total} s altogether; the slowest part was ${slowest?.name} (${slowest?.seconds.toFixed(1)} s)`)
process.exit(isWell(results) ? 0 : 1)
