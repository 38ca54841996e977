import type { ChartPart } from '@/lib/operations/monitoring/contract'

type Props = {
  parts: readonly ChartPart[]
  /** Writes milliseconds. */
  ticks: (ms: number) => string
  /** What stands at both ends of the time axis, and in parts with failures alone. */
  first: string
  last: string
  failed: string
}

const [width, height] = [600, 160]

/** A round number above the highest value, so that its thirds are short to read. */
function top(highest: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(highest, 3)))
  return [1.5, 3, 6, 15].map((times) => times * step).find((value) => value >= highest) ?? highest
}

/** The slowest answers over time as a line; parts with failures are tinted. The table beside it says the same. */
export function ResponseChart({ parts, ticks, first, last, failed }: Props) {
  const highest = top(Math.max(...parts.map(({ worst }) => worst ?? 0)))
  const step = width / Math.max(parts.length, 1)
  const middle = (at: number) => (at + 0.5) * step
  const lines: string[] = []
  let open = false
  for (const [at, { worst }] of parts.entries()) {
    if (worst !== null)
      lines.push(`${open ? 'L' : 'M'}${middle(at).toFixed(1)} ${(height - (worst / highest) * height).toFixed(1)}`)
    open = worst !== null
  }
  const bad = parts.flatMap(({ failures }, at) => (failures > 0 ? [at] : []))
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
          {bad.map((at) => (
            <rect key={at} x={at * step} y={0} width={step} height={height} className="fill-danger-tint" />
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
        {bad.length > 0 ? (
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
