import { redis } from '../redis/redis'
import { addGauge, type GaugeOptions, type GaugeValue } from '../runtime/metrics'

/** Milliseconds after which the database is read again, and for which older values replace those being read. */
const [readAfter, usableFor] = [10_000, 60_000]

/**
 * Returns the values of a gauge: reads them if no process has begun to within the last seconds, else takes them from
 * Redis. Reads them itself without Redis. Throws, also in other processes, if they can't be read.
 */
async function sharedValues(key: string, read: GaugeOptions['read']): Promise<GaugeValue[]> {
  // without Redis it is this process's turn
  const isOurTurn = await redis()
    .set(`${key}:turn`, '1', 'PX', readAfter, 'NX')
    .catch(() => true)
  if (!isOurTurn) {
    const text = await redis().get(key)
    if (text === null) throw new Error('another process reads them')
    return JSON.parse(text)
  }
  try {
    const values = await read()
    await redis()
      .set(key, JSON.stringify(values), 'PX', usableFor)
      .catch(() => null)
    return values
  } catch (error) {
    await redis()
      .del(key)
      .catch(() => 0)
    throw error
  }
}

/**
 * Adds a gauge of what is in the database. It is the same for every process, so one of them reads it for all, once in
 * ten seconds (ADR 112). A gauge that can't be read is left out.
 */
export const addSharedGauge = ({ name, labelNames = [], read, ...options }: Omit<GaugeOptions, 'across'>) =>
  addGauge({
    ...options,
    name,
    labelNames,
    across: 'max',
    // a neighbouring version may have other labels
    read: () => sharedValues(`gauge:${[name, ...labelNames].join(':')}`, read),
  })
