'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { BulkResults } from '@/components/bulk/bulk-results'
import { type BulkResult, inParts } from '@/components/bulk/run'
import { fieldsOf } from '@/components/form/field-name'
import { Form, FormErrors } from '@/components/form/form'
import { FormCombobox } from '@/components/form/form-combobox'
import { FormSelect } from '@/components/form/form-select'
import { FormTextarea } from '@/components/form/form-text'
import { SubmitButton } from '@/components/form/submit-button'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import { useRemote } from '@/components/form/use-remote'
import { Alert } from '@/components/ui/alert'
import { Dialog, DialogBody, DialogCancel, DialogFooter } from '@/components/ui/dialog'
import { Progress } from '@/components/ui/progress'
import { type BulkAct, bulkActs, bulkUsers } from '@/lib/account-administration/accounts/contract'
import type { User } from '@/lib/accounts/administration/contract'
import { call } from '@/lib/base/http/client'

type Values = {
  act: BulkAct
  reason: string
  roleId: string | null
  organizationId: string | null
  contractorId: string | null
}
type Props = { users: User[]; onClose: (acted: boolean) => void }

/** One action on several accounts: which ones, its parameters, and afterwards the result of each. */
export function BulkDialog({ users, onClose }: Props) {
  const t = useTranslations('users')
  const ui = useTranslations('ui')
  const [results, setResults] = useState<BulkResult[] | null>(null)
  const labelOf = (id: string) => {
    const user = users.find((chosenUser) => chosenUser.id === id)
    // several people may have one name
    return user ? (user.name ? `${user.name} (${user.login})` : user.login) : id
  }
  const title = t('bulkTitle', { count: users.length })
  return (
    <Dialog open onOpenChange={() => onClose(results !== null)} size="M" title={title}>
      {results ? (
        <>
          <DialogBody label={title}>
            <BulkResults results={results} labelOf={labelOf} done={t('bulkDone')} />
          </DialogBody>
          <DialogFooter>
            <DialogCancel>{ui('close')}</DialogCancel>
          </DialogFooter>
        </>
      ) : (
        <ActForm users={users} onDone={setResults} />
      )}
    </Dialog>
  )
}

function ActForm({ users, onDone }: { users: User[]; onDone: (results: BulkResult[]) => void }) {
  const t = useTranslations('users')
  const [done, setDone] = useState(0)
  const ids = users.map(({ id }) => id)
  const form: ContractForm<Values> = useContractForm<typeof bulkUsers, Values>(bulkUsers, {
    defaultValues: { act: 'disable', reason: '', roleId: null, organizationId: null, contractorId: null },
    quiet: true,
    toBody: ({ act, reason, roleId, organizationId, contractorId }) => ({
      userIds: ids,
      act,
      ...(act === 'disable' && reason.trim() ? { reason } : {}),
      ...(act === 'giveRole' || act === 'takeRole'
        ? { role: { roleId: roleId ?? '', organizationId, contractorId } }
        : {}),
    }),
    fieldOf: (fault) => fault.replace(/^role\./, ''),
    send: async (body) => {
      setDone(0)
      const send = async (part: string[]) => {
        const { results } = await call(bulkUsers, { body: { ...body, userIds: part } })
        return results.map(({ userId, code }) => ({ id: userId, code }))
      }
      const results = await inParts(ids, send, setDone)
      return { results: results.map(({ id, code }) => ({ userId: id, code })) }
    },
    onDone: ({ results }) => onDone(results.map(({ userId, code }) => ({ id: userId, code }))),
  })
  const field = fieldsOf(form)
  return (
    <Form form={form} className="contents">
      <DialogBody className="grid content-start gap-5">
        <FormErrors />
        <FormSelect
          name={field('act')}
          label={t('bulkWhat')}
          options={bulkActs.map((act) => ({ value: act, label: t(`bulkActs.${act}`) }))}
        />
        <ActFields form={form} count={users.length} />
        {form.pending ? <Progress label={t('bulkRunning')} done={done} total={ids.length} /> : null}
      </DialogBody>
      <DialogFooter>
        <DialogCancel />
        <ActButton count={users.length} />
      </DialogFooter>
    </Form>
  )
}

/** The submit button, red for an action that takes something away. */
function ActButton({ count }: { count: number }) {
  const t = useTranslations('users')
  const act: BulkAct = useWatch({ name: 'act' })
  const takes = act === 'disable' || act === 'takeRole' || act === 'endSessions'
  return <SubmitButton {...(takes ? { variant: 'danger' } : {})}>{t(`bulkVerbs.${act}`, { count })}</SubmitButton>
}

/** The parameters and the consequences of the chosen action. */
function ActFields({ form, count }: { form: ContractForm<Values>; count: number }) {
  const t = useTranslations('users')
  const act: BulkAct = useWatch({ name: 'act' })
  const field = fieldsOf(form)
  const roles = useRemote('roles')
  const organizations = useRemote('organizations')
  const contractors = useRemote('contractors')
  if (act === 'disable')
    return (
      <>
        <Alert tone="warning">{t('bulkDisable', { count: String(count) })}</Alert>
        <FormTextarea name={field('reason')} label={t('reason')} hint={t('reasonHint')} rows={3} maxLength={500} />
      </>
    )
  if (act === 'endSessions') return <Alert tone="warning">{t('endText')}</Alert>
  if (act !== 'giveRole' && act !== 'takeRole') return null
  return (
    <>
      <FormCombobox name={field('roleId')} label={t('role')} search={roles} />
      <FormCombobox
        name={field('organizationId')}
        label={t('organization')}
        hint={t('organizationHint')}
        search={organizations}
      />
      <FormCombobox
        name={field('contractorId')}
        label={t('contractor')}
        hint={t('contractorHint')}
        search={contractors}
      />
    </>
  )
}
