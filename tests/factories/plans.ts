import pg from 'pg'

export type Statement = { text: string; values: unknown[] }

/** Returns the statements that this process sends to PostgreSQL while `work` runs, each text once, with its first values. */
export async function sentBy(work: () => Promise<unknown>): Promise<Statement[]> {
  const sent = new Map<string, Statement>()
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown }
  const { query } = prototype
  prototype.query = function (this: unknown, ...args: unknown[]) {
    const [config, given] = args as [string | { text: string; values?: unknown[] }, unknown[] | undefined]
    const text = typeof config === 'string' ? config : config.text
    const values = (typeof config === 'string' ? given : (config.values ?? given)) ?? []
    if (/^\s*(select|with|insert|update|delete)\b/i.test(text) && !sent.has(text)) sent.set(text, { text, values })
    return query.apply(this, args)
  }
  try {
    await work()
  } finally {
    prototype.query = query
  }
  return [...sent.values()]
}

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}
export type Scan = { table: string; kind: string; rows: number }

function* scansOf(node: Node): Generator<Scan> {
  const table = node['Relation Name']
  const read = [node['Actual Rows'], node['Rows Removed by Filter'], node['Rows Removed by Index Recheck']]
  if (table && /Scan/.test(node['Node Type']))
    yield {
      table,
      kind: node['Node Type'],
      rows: node['Actual Loops'] * read.reduce<number>((sum, each) => sum + (each ?? 0), 0),
    }
  for (const part of node.Plans ?? []) yield* scansOf(part)
}

/**
 * Runs a statement under EXPLAIN and takes it back. Returns what it reads of which table, rows that a filter drops
 * included, and how many pages it touches.
 */
export async function explained(client: pg.Client, { text, values }: Statement) {
  await client.query('begin')
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node & Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${text}`,
      values,
    )
    const [
      {
        'QUERY PLAN': [{ Plan: plan }],
      } = { 'QUERY PLAN': [{ Plan: {} as never }] },
    ] = rows
    return {
      scans: [...scansOf(plan)],
      pages: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
    }
  } finally {
    await client.query('rollback')
  }
}
