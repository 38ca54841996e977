import { writeOrder } from './orders'
import type { Plan, Step } from './plan'
import type { Current } from './read'
import { placeOf, type Section, sections } from './sections'
import { writeSettings } from './settings'
import { type Part, runParts } from './settle'
import { applicationWriters, releaseAddress, releasingAddresses } from './write-applications'
import { peopleWriters } from './write-people'
import { platformWriters, releaseDomain, releasingDomains, removeHidden } from './write-platform'
import { atObject, type Writers, type Writing } from './writing'

/** Settings are written all at once, and orders last. */
const writers: Writers = { ...platformWriters, ...applicationWriters, ...peopleWriters, settings: [], orders: [] }

/** Returns all parts of a plan but its orders, in the sequence in which most of them find what they refer to. */
function partsOf(writing: Writing, plan: Plan): Part[] {
  const stepsOf = (section: Section) => plan.steps.filter((step) => step.section === section)
  const parts = (section: Section, deleting: boolean): Part[] => {
    const steps = stepsOf(section).filter(({ after }) => (after === null) === deleting)
    return writers[section].flatMap((writer) =>
      steps.map((step) => {
        const object = placeOf(step)
        return { object, work: () => atObject(object, () => writer(writing, step as never)) }
      }),
    )
  }
  const released = (step: Step, work: () => Promise<void>): Part => ({
    object: `${placeOf(step)} released`,
    work: () => atObject(placeOf(step), work),
  })
  const settingSteps = stepsOf('settings')
  const settingsPart = { object: 'settings', work: () => writeSettings(writing, settingSteps) }
  const hidden = stepsOf('locales').length > 0 ? writing.current.hidden : []
  return [
    ...hidden.map((texts): Part => ({ object: 'hidden', work: () => removeHidden(writing, texts) })),
    ...releasingDomains(plan).map((step) => released(step, () => releaseDomain(writing, plan, step))),
    ...releasingAddresses(plan).map((step) => released(step, () => releaseAddress(writing, step))),
    ...sections.flatMap((section) =>
      section === 'settings' && settingSteps.length > 0 ? [settingsPart] : parts(section, false),
    ),
    ...sections.toReversed().flatMap((section) => parts(section, true)),
  ]
}

/**
 * Writes a plan through the service functions that administrators' calls use, so that every rule of saving holds.
 * `again` reads the stored configuration anew. Throws 400 configurationRefused and 403 forbiddenConfiguration with the
 * object and the field.
 */
export async function applyPlan(writing: Writing, plan: Plan, again: () => Promise<Current>) {
  await runParts(writing, partsOf(writing, plan))
  let current = await again()
  for (const order of plan.expected.orders) {
    const saved = await atObject(placeOf({ section: 'orders', key: order.of }), () =>
      writeOrder(writing, order, current),
    )
    if (saved) current = await again()
  }
}
