/**
 * Draws the guilloche: rosette.svg and band.svg beside this file, the emblems in lib/base and app/icon.svg. Run it
 * after a change here: node --import tsx components/look/make-guilloche.ts
 */
import { writeFileSync } from 'node:fs'

type Point = { x: number; y: number }
type Curve = (t: number) => Point

const turn = 2 * Math.PI
const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))
const polar = (radius: number, angle: number): Point => ({ x: radius * Math.cos(angle), y: radius * Math.sin(angle) })

type Stretch = { from?: number; to: number; steps: number; digits?: number }

/**
 * Returns Béziers through `steps` points of a curve, with the curve's own tangents: they need far fewer numbers than a
 * polyline.
 */
function path(curve: Curve, { from = 0, to, steps, digits = 0 }: Stretch): string {
  const step = (to - from) / steps
  const scale = 10 ** digits
  const handle = (t: number): Point => {
    const [before, after] = [curve(t - 1e-4), curve(t + 1e-4)]
    return { x: ((after.x - before.x) / 2e-4) * (step / 3), y: ((after.y - before.y) / 2e-4) * (step / 3) }
  }
  // continue from the rounded point, so that errors don't add up
  const start = curve(from)
  const pen = { x: Math.round(start.x * scale), y: Math.round(start.y * scale) }
  const pair = (dx: number, dy: number) => `${dx / scale} ${dy / scale}`
  const away = (x: number, y: number) => [Math.round(x * scale) - pen.x, Math.round(y * scale) - pen.y] as const
  let drawn = `M${pair(pen.x, pen.y)}`
  for (let i = 1; i <= steps; i++) {
    const t = from + i * step
    const [begin, end, leave, arrive] = [curve(t - step), curve(t), handle(t - step), handle(t)]
    const [dx, dy] = away(end.x, end.y)
    const second = pair(...away(end.x - arrive.x, end.y - arrive.y))
    // `s` mirrors the previous handle, as a smooth curve does anyway
    drawn += i === 1 ? `c${pair(...away(begin.x + leave.x, begin.y + leave.y))} ${second}` : `s${second}`
    drawn += ` ${pair(dx, dy)}`
    pen.x += dx
    pen.y += dy
  }
  return drawn.replaceAll(' -', '-').replaceAll(/(?<!\d)0\./g, '.')
}

type Ring = { id: string; radius: number; curves: number; m: number; deep: number }
const k = 12

/**
 * Curves r(a) = R (0.62 + 0.38 m cos(k a + phase) + deep sin(2k a)) with phases of a whole turn. With 2k and not 2k + 1
 * the family repeats every half period of k, so one sector is drawn and used 2k times.
 */
function ring({ id, radius, curves, m, deep }: Ring): string {
  const folds = 2 * k
  const sector = times(curves, (i) => {
    const phase = (i * turn) / curves
    const curve: Curve = (a) =>
      polar(radius * (0.62 + 0.38 * m * Math.cos(k * a + phase) + deep * Math.sin(2 * k * a)), a)
    return `<path d="${path(curve, { to: turn / folds, steps: 4 })}"/>`
  })
  const others = times(folds - 1, (i) => `<use href="#${id}" transform="rotate(${(i + 1) * (360 / folds)})"/>`)
  return `<g id="${id}">${sector.join('')}</g>${others.join('')}`
}

const rosette = [
  ring({ id: 'a', radius: 1062, curves: 24, m: 0.34, deep: 0.155 }),
  ring({ id: 'b', radius: 735, curves: 18, m: 0.36, deep: 0.15 }),
  ring({ id: 'c', radius: 430, curves: 14, m: 0.36, deep: 0.15 }),
]

/** Sines of one frequency times cosines of a third of it, with several phases. The ends meet, so that it repeats. */
const bandWidth = 1200
const band = times(18, (i) => {
  const phase = (i * Math.PI) / 18
  const curve: Curve = (u) => ({
    x: (u * bandWidth) / turn,
    y: 120 + 100 * Math.sin(3 * u + 0.6 * phase) * Math.cos(u + 1.2 * phase),
  })
  return `<path d="${path(curve, { to: turn, steps: 24 })}"/>`
})

const drawing = (viewBox: string, lines: string[], opacity: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" fill="none" stroke="#000" stroke-width=".55" stroke-opacity="${opacity}">` +
  `<style>path{vector-effect:non-scaling-stroke}</style>${lines.join('')}</svg>\n`

/** The emblem, 32 by 32: a small filled rosette, with a rosette cut out of it. */
const lobes = (radius: number, depth: number, count: number): Curve => {
  return (a) => {
    const { x, y } = polar(radius * (1 + depth * Math.cos(count * a)), a - turn / 4)
    return { x: x + 16, y: y + 16 }
  }
}
const mark = (rings: string[]) => `${rings.join('z')}z`
const marks = {
  default: mark([
    path(lobes(14.2, 0.06, 12), { to: turn, steps: 24, digits: 1 }),
    path(lobes(9.5, 0.03, 12), { from: turn, to: 0, steps: 24, digits: 1 }),
    path(lobes(7.9, 0.06, 12), { to: turn, steps: 24, digits: 1 }),
    path(lobes(3.1, 0.16, 6), { from: turn, to: 0, steps: 12, digits: 1 }),
  ]),
  partners: mark([
    path(lobes(13, 0.15, 5), { to: turn, steps: 20, digits: 1 }),
    path(lobes(9.2, 0.17, 5), { from: turn, to: 0, steps: 20, digits: 1 }),
    path(lobes(6.2, -0.2, 5), { to: turn, steps: 20, digits: 1 }),
  ]),
}

const write = (name: string, text: string) => writeFileSync(new URL(name, import.meta.url), text)
write('rosette.svg', drawing('-1000 -1000 2000 2000', rosette, 0.5))
write('band.svg', drawing(`0 0 ${bandWidth} 240`, band, 0.6))
const outlines = Object.entries(marks).map(([code, outline]) => `  ${code}:\n    '${outline}',\n`)
write(
  '../../lib/base/pictures/emblems.ts',
  `/** The outlines of the emblems in a square of 32, by image code; drawn by components/look/make-guilloche.ts. */\nexport const emblems = {\n${outlines.join('')}} as const\n`,
)
write(
  '../../app/icon.svg',
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>path{fill:#0b6b57}@media(prefers-color-scheme:dark){path{fill:#4fc3a6}}</style><path d="${marks.default}"/></svg>\n`,
)
