'use client'

import { useTranslations } from 'next-intl'
import type { Created } from '@/components/form/create-button'
import { DialogForm } from '@/components/form/dialog-form'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormSelect } from '@/components/form/form-select'
import { FormText, FormTextarea } from '@/components/form/form-text'
import { type FormOf, useContractForm } from '@/components/form/use-contract-form'
import { useRead } from '@/components/form/use-read'
import { DialogBody } from '@/components/ui/dialog'
import { PartFailed } from '@/components/ui/part-failed'
import { Skeleton } from '@/components/ui/skeleton'
import { createRole, listMethods, type Method, type Role, RoleType, readRole } from '@/lib/access/roles/contract'
import { call } from '@/lib/base/http/client'
import { MethodPicker } from './method-picker'
import { copyOf } from './role-copy'

type Values = BodyOf<typeof createRole>
type Form = FormOf<Values>

/** The fault of one method is shown at the picker, which is one field. */
export const fieldOf = (field: string) => (field.startsWith('methods') ? 'methods' : field)

/** The name and the type of a role. */
export function RoleFields({ form, fixed = false }: { form: FormOf<Omit<Values, 'methods'>>; fixed?: boolean }) {
  const t = useTranslations('roles')
  const field = fieldsOf(form)
  return (
    <>
      <FormText name={field('name')} label={t('name')} maxLength={100} />
      <FormText name={field('nameEn')} label={t('nameEn')} maxLength={100} />
      <FormSelect
        name={field('roleType')}
        label={t('type')}
        disabled={fixed}
        options={RoleType.options.map((value) => ({
          value,
          label: t(`types.${value}`),
          note: t(`typeHints.${value}`),
        }))}
      />
      <FormTextarea name={field('comment')} label={t('comment')} rows={2} maxLength={500} />
      <FormTextarea name={field('commentEn')} label={t('commentEn')} rows={2} maxLength={500} />
    </>
  )
}

type Read = { methods: Method[]; role: Role | null }

/** Reads what the dialog needs; null while it loads. */
const useRole = (id?: string) =>
  useRead<Read>(async () => {
    const [{ methods }, answer] = await Promise.all([call(listMethods), id ? call(readRole, { params: { id } }) : null])
    return { methods, role: answer?.role ?? null }
  }, [id])

type Props = { onDone: (created?: Created) => void }

/** Creates a role. */
export const NewRole = (props: Props) => <Loaded {...props} />

/** Creates a role like another one, as far as the caller may give its methods. */
export const CopyRole = (props: Props & { id: string }) => <Loaded {...props} />

function Loaded({ id, onDone }: Props & { id?: string }) {
  const { read, retry } = useRole(id)
  if (read === 'failed')
    return (
      <DialogBody>
        <PartFailed retry={retry} />
      </DialogBody>
    )
  if (!read)
    return (
      <DialogBody className="grid gap-5">
        {[1, 2, 3, 4].map((row) => (
          <Skeleton key={row} className="h-10" />
        ))}
      </DialogBody>
    )
  return <Filled {...read} onDone={onDone} />
}

function Filled({ methods, role, onDone }: Read & Props) {
  const t = useTranslations('roles')
  const tu = useTranslations('ui')
  const form: Form = useContractForm(createRole, {
    defaultValues: copyOf(role, role ? t('copyName', { name: role.name }) : ''),
    fieldOf,
    onDone,
  })
  return (
    <DialogForm form={form} verb={tu('create')}>
      <RoleFields form={form} />
      <MethodPicker name={fieldsOf(form)('methods')} label={t('methods')} methods={methods} />
    </DialogForm>
  )
}
