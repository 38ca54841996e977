export type Cost = { kind: string; name: string; seconds: number }

const mostFiles = 30
const line = (seconds: number, what: string) => `${seconds.toFixed(0).padStart(7)} s  ${what}`

function sums(costs: readonly Cost[], of: (cost: Cost) => string): [string, number][] {
  const secondsByFile = new Map<string, number>()
  for (const cost of costs) secondsByFile.set(of(cost), (secondsByFile.get(of(cost)) ?? 0) + cost.seconds)
  return [...secondsByFile].toSorted(([, one], [, other]) => other - one)
}

/**
 * Returns the table of a measured run: the processor seconds of each kind of work and of the dearest files. `total` are
 * those of the whole run; what no piece of work used are the starts and ends of services.
 */
export function costTable(costs: readonly Cost[], total: number): string {
  const pieces = costs.reduce((sum, { seconds }) => sum + seconds, 0)
  return [
    '',
    'Processor seconds by kind',
    ...sums(costs, ({ kind }) => kind).map(([kind, seconds]) => line(seconds, kind)),
    line(total - pieces, 'starting and stopping'),
    line(total, 'altogether'),
    '',
    `The ${mostFiles} dearest files`,
    ...sums(costs, ({ name }) => name.split(' › ')[0] ?? '')
      .slice(0, mostFiles)
      .map(([file, seconds]) => line(seconds, file)),
    '',
  ].join('\n')
}
