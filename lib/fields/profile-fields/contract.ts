import { line, lines, personName } from '@/lib/base/contracts/contract'
import { formField } from '@/lib/base/http/form-fields'
import { FieldInputs } from '../values/input'

/** A person's names as calls take them: the whole name, its parts, or both (docs/rules/people.md#names). */
export const nameFields = {
  firstName: formField(personName()),
  lastName: formField(personName()),
  middleName: formField(personName()),
  fio: formField(personName()),
}

/** Further fields of users_main, which public forms ask for if they are required: its own, and dynamic ones by code. */
export const furtherFields = {
  login: formField(line(64)),
  birthDate: formField(line(10)),
  gender: formField(line(16)),
  locale: formField(line(16)),
  comment: formField(lines(2000)),
  additionalInfo: formField(FieldInputs),
}
