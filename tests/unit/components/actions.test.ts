import { Copy } from 'lucide-react'
import { describe, expect, test } from 'vitest'
import { type Action, type ActionList, groupsOf, sends } from '@/components/form/actions'
import { enableBlacklistEntry } from '@/lib/network/access-lists/contract'
import { deleteDeviceType, updateDeviceType } from '@/lib/site/device-types/contract'

const link = (label: string, tone?: 'danger'): Action => ({ kind: 'link', label, icon: Copy, href: '/', tone })
const remove: Action = { kind: 'remove', contract: deleteDeviceType, id: '', title: '' }
const labelsOf = (list: ActionList) =>
  groupsOf(list).map((group) => group.map((action) => ('label' in action ? action.label : action.kind)))

describe('the actions of a row', () => {
  test('keep their order, without those that aren’t offered, and with dangerous ones last', () => {
    expect(labelsOf([])).toEqual([])
    expect(labelsOf([false, null, undefined, 'separator'])).toEqual([])
    expect(labelsOf([remove, link('a'), false, link('b')])).toEqual([['a', 'b'], ['remove']])
    expect(
      labelsOf([link('x', 'danger'), link('a'), 'separator', 'separator', link('b'), remove, 'separator']),
    ).toEqual([['a'], ['b'], ['x', 'remove']])
    expect(labelsOf(['separator', remove])).toEqual([['remove']])
  })

  test('in any order: none is lost or repeated, and dangerous ones come last', () => {
    let seed = 7
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      return (seed >>> 8) % below
    }
    for (let n = 0; n < 500; n++) {
      const list = Array.from({ length: random(9) }, (_, at): ActionList[number] =>
        random(5) === 0
          ? 'separator'
          : random(6) === 0
            ? null
            : link(String(at), random(3) === 0 ? 'danger' : undefined),
      )
      const groups = groupsOf(list)
      expect(groups.every((group) => group.length > 0)).toBe(true)
      const all = groups.flat()
      const offered = list.filter((entry): entry is Action => typeof entry === 'object' && entry !== null)
      expect(new Set(all)).toEqual(new Set(offered))
      expect(all).toHaveLength(offered.length)
      const dangers = all.map((action) => 'tone' in action && action.tone === 'danger')
      expect(dangers).toEqual(dangers.toSorted())
      if (dangers.includes(true)) expect(groups.at(-1)?.every((action) => 'tone' in action && action.tone)).toBeTruthy()
    }
  })

  test('are typed: a call takes its contract’s input, and a toggle declares both questions', () => {
    const good = sends(updateDeviceType, { params: { id: '' }, body: { name: '', code: '' } })
    // @ts-expect-error the body has no such field
    const bad = sends(updateDeviceType, { params: { id: '' }, body: { name: '', code: '', colour: '' } })
    // @ts-expect-error the id is missing
    const without = sends(deleteDeviceType, {})
    const toggle = { kind: 'toggle', contract: enableBlacklistEntry, id: '', enabled: true, updatedAt: '' } as const
    // @ts-expect-error the question for switching on is missing
    const half: Action = { ...toggle, ask: { off: null } }
    // @ts-expect-error a call that isn't a toggle
    const other: Action = { ...toggle, contract: deleteDeviceType, ask: { on: null, off: null } }
    expect([good, bad, without, half, other]).toHaveLength(5)
  })
})
