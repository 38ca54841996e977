import { randomUUID } from 'node:crypto'

let inns = 1_000_000_000
/** A contractor of another system, which nobody else has. */
export function contractorItem(more: Record<string, unknown> = {}): Record<string, unknown> {
  const externalCode = `C-${randomUUID().slice(0, 8)}`
  inns += 1 + Math.floor(Math.random() * 1_000)
  return { externalCode, name: `Компания ${externalCode}`, inn: String(inns), kpp: '770101001', ...more }
}
