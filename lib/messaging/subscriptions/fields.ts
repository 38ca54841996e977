import { choice, type Field, yesNo } from '@/lib/base/audit/entity'
import { changeableParts, type PartName, partName, periods, subscriptionIds } from '../subscription-kinds'

/** The parts of subscriptions that a person can change, as fields of the history of that person. */
export const subscriptionFields = Object.fromEntries(
  subscriptionIds.flatMap((id) =>
    changeableParts(id).map((part): [PartName, Field] => {
      const name = partName(id, part)
      const label = `subscriptions.history.${name}`
      return [name, part === 'period' ? choice(label, periods, 'subscriptions.periods') : yesNo(label)]
    }),
  ),
) as { [K in PartName]: Field<boolean | string> }
