import type { ChartPart } from '@/lib/operations/monitoring/contract'

type Props = {
  parts: readonly ChartPart[]
  /** Writes milliseconds. */
  ticks: (ms: number) => string
  /** The labels at both ends of the time axis, and of parts that have only failures. */
  first: string
  last: string
  failed: string
}

const [width, height] = [600, 160]

/** Returns a round number above the highest value, so that its thirds are short. */
function top(highest: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(highest, 3)))
  return [1.5, 3, 6, 15].map((times) => times * step).find((value) => value >= highest) ?? highest
}

/** The slowest answers over time as a line; parts with failures are tinted. The table beside it says the same. */
export function ResponseChart({ parts, ticks, first, last, failed }: Props) {
  const highest = top(Math.max(...parts.map(({ worst }) => worst ?? 0)))
  const step = width / Math.max(parts.length, 1)
  const middle = (index: number) => (index + 0.5) * step
  const lines: string[] = []
  let isLine = false
  for (const [index, { worst }] of parts.entries()) {
    if (worst !== null)
      lines.push(`${isLine ? 'L' : 'M'}${middle(index).toFixed(1)} ${(height - (worst / highest) * height).toFixed(1)}`)
    isLine = worst !== null
  }
  const failedParts = parts.flatMap(({ failures }, index) => (failures > 0 ? [index] : []))
  return (
    <div
      aria-hidden="true"
      className="grid content-start grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-note text-ink-second tabular-nums"
    >
      <div className="flex h-48 flex-col justify-between text-right leading-none">
        {[3, 2, 1, 0].map((third) => (
          <span key={third} className="whitespace-nowrap">
            {ticks(Math.round((highest * third) / 3))}
          </span>
        ))}
      </div>
      <div className="relative h-48 py-1.5">
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          className="size-full overflow-visible"
        >
          {failedParts.map((index) => (
            <rect key={index} x={index * step} y={0} width={step} height={height} className="fill-danger-tint" />
          ))}
          {[0, 1, 2, 3].map((third) => (
            <line
              key={third}
              x1={0}
              x2={width}
              y1={(height * third) / 3}
              y2={(height * third) / 3}
              vectorEffect="non-scaling-stroke"
              className="stroke-line"
            />
          ))}
          <path
            d={lines.join('')}
            fill="none"
            strokeWidth={2}
            strokeLinejoin="round"
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
            className="stroke-brand"
          />
        </svg>
        {failedParts.length > 0 ? (
          <span className="absolute top-3 right-2 rounded-pill bg-danger-tint px-1.5 font-medium text-danger">
            {failed}
          </span>
        ) : null}
      </div>
      <span />
      <div className="flex justify-between">
        <span>{first}</span>
        <span>{last}</span>
      </div>
    </div>
  )
}
