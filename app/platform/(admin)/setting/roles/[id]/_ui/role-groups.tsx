'use client'

import { useTranslations } from 'next-intl'
import { useWatch } from 'react-hook-form'
import { GroupFields, GroupForm } from '@/components/card/group-form'
import { fieldsOf } from '@/components/form/field-name'
import { useContractForm } from '@/components/form/use-contract-form'
import { type Method, type Role, updateRole } from '@/lib/access/roles/contract'
import { MethodPicker } from '../../_ui/method-picker'
import { fieldOf, RoleFields } from '../../_ui/role-form'
import { RoleEffect } from './role-effect'

/** Replaces a role: the fields of one group are edited, the others are sent as they were read. */
function useRoleForm({ id, name, nameEn, comment, commentEn, roleType, methods, updatedAt }: Role, onDone: () => void) {
  return useContractForm(updateRole, {
    parts: { params: { id } },
    defaultValues: {
      name,
      nameEn: nameEn ?? '',
      comment,
      commentEn: commentEn ?? '',
      roleType,
      methods: methods.map((method) => method.id),
      updatedAt,
    },
    fieldOf,
    onDone,
  })
}

/** Edits the name and the type of a role. */
export function EditRole({ role, onDone }: { role: Role; onDone: () => void }) {
  const form = useRoleForm(role, onDone)
  return (
    <GroupForm form={form} onDone={onDone}>
      <GroupFields>
        <RoleFields form={form} fixed={role.immutable} />
      </GroupFields>
    </GroupForm>
  )
}

/** Edits the methods of a role, and says before saving how many people the change concerns. */
export function EditMethods({ role, methods, onDone }: { role: Role; methods: Method[]; onDone: () => void }) {
  const t = useTranslations('roles')
  const form = useRoleForm(role, onDone)
  return (
    <GroupForm form={form} onDone={onDone}>
      <MethodPicker headed name={fieldsOf(form)('methods')} label={t('methods')} methods={methods} />
      <Effect role={role} />
    </GroupForm>
  )
}

function Effect({ role }: { role: Role }) {
  const chosen: string[] = useWatch({ name: 'methods' }) ?? []
  const stored = role.methods.map(({ id }) => id)
  const give = chosen.filter((id) => !stored.includes(id))
  const take = stored.filter((id) => !chosen.includes(id))
  return <RoleEffect id={role.id} give={give} take={take} />
}
