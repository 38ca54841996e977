'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { type BulkResult, inParts } from '@/components/bulk/run'
import { fieldsOf } from '@/components/form/field-name'
import { Form, FormErrors } from '@/components/form/form'
import { FormTextarea } from '@/components/form/form-text'
import { SubmitButton } from '@/components/form/submit-button'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import { Alert } from '@/components/ui/alert'
import { DialogBody, DialogCancel, DialogFooter } from '@/components/ui/dialog'
import { Progress } from '@/components/ui/progress'
import { call } from '@/lib/base/http/client'
import {
  allowAccess,
  approveWithContractor,
  type IncomingRequest,
  markDuplicate,
  refuseAccess,
} from '@/lib/companies/access-requests/contract'
import { GivenAccess } from './given-access'
import { WhoAsks } from './who-asks'
import { whoOf } from './who-of'

const decisions = ['contractor', 'allow', 'duplicate', 'deny'] as const
export type Decision = (typeof decisions)[number]

const contracts = {
  contractor: approveWithContractor,
  allow: allowAccess,
  duplicate: markDuplicate,
  deny: refuseAccess,
}

export type DecisionValues = {
  contractorId: string | null
  contractorRoles: { organizationId: string; rolesIds: string[] }[]
  reason: string
}

type Props = { requests: IncomingRequest[]; onDone: (decision: Decision, results: BulkResult[]) => void }

/** Decides on requests: one of four decisions, and its fields. Several are sent a few at a time. */
export function DecideForm({ requests, onDone }: Props) {
  const t = useTranslations('access-requests')
  const [decision, setDecision] = useState<Decision>('contractor')
  const [done, setDone] = useState(0)
  const ids = requests.map(({ requestId }) => requestId)
  const contract = contracts[decision] as typeof allowAccess
  const form: ContractForm<DecisionValues> = useContractForm<typeof allowAccess, DecisionValues>(contract, {
    defaultValues: { contractorId: null, contractorRoles: [], reason: '' },
    quiet: ids.length > 1,
    toBody: ({ contractorId, contractorRoles, reason }) => ({
      requestIds: ids,
      // the contract is that of the decision, whatever its type says
      responseStatus: decision as 'allow',
      ...(decision === 'deny' ? { reason } : {}),
      ...(decision === 'contractor' || decision === 'allow'
        ? {
            contractorId: contractorId ?? '',
            contractorRoles: contractorRoles.filter(({ rolesIds }) => rolesIds.length > 0),
          }
        : {}),
    }),
    fieldOf: (field) => (field.startsWith('contractorRoles') ? 'contractorRoles' : field),
    send: async (body) => {
      setDone(0)
      const send = async (part: string[]) => {
        const { results } = await call(contract, { body: { ...body, requestIds: part } })
        return results.map(({ requestId, ...result }) => ({ id: requestId, ...result }))
      }
      const results = await inParts(ids, send, setDone)
      return { results: results.map(({ id, ...result }) => ({ requestId: id, ...result })) }
    },
    onDone: ({ results }) =>
      onDone(
        decision,
        results.map(({ requestId, ...result }) => ({ id: requestId, ...result })),
      ),
  })
  const [only] = requests
  return (
    <Form form={form} className="contents">
      <DialogBody className="@container grid grid-cols-[minmax(0,1fr)] content-start gap-6">
        <FormErrors />
        {only && requests.length === 1 && !only.user.enabled ? <Alert tone="warning">{t('disabledText')}</Alert> : null}
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 @min-[44rem]:grid-cols-[15rem_minmax(0,1fr)]">
          {requests.length === 1 && only ? <WhoAsks request={only} /> : <WhoAsk requests={requests} />}
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
            <Choice decision={decision} choose={setDecision} />
            {decision === 'deny' ? (
              <FormTextarea
                name={fieldsOf(form)('reason')}
                label={t('reason')}
                hint={t('reasonHint')}
                rows={3}
                maxLength={500}
              />
            ) : null}
            {decision === 'contractor' || decision === 'allow' ? (
              <GivenAccess form={form} requests={requests} optional={decision === 'allow'} />
            ) : null}
          </div>
        </div>
        {form.pending && ids.length > 1 ? <Progress label={t('deciding')} done={done} total={ids.length} /> : null}
      </DialogBody>
      <DialogFooter>
        <p className="mr-auto max-w-[26rem] self-center text-ink-second text-note max-sm:w-full">
          <Consequence decision={decision} />
        </p>
        <DialogCancel>{t('later')}</DialogCancel>
        <SubmitButton>{t(`verbs.${decision}`)}</SubmitButton>
      </DialogFooter>
    </Form>
  )
}

/** What the decision will do. */
function Consequence({ decision }: { decision: Decision }) {
  const t = useTranslations('access-requests')
  const chosenRoles: DecisionValues['contractorRoles'] = useWatch({ name: 'contractorRoles' })
  const roles = chosenRoles.reduce((sum, { rolesIds }) => sum + rolesIds.length, 0)
  if (decision === 'duplicate' || decision === 'deny') return t(`consequences.${decision}`)
  return t(`consequences.${decision}`, { roles })
}

function Choice({ decision, choose }: { decision: Decision; choose: (next: Decision) => void }) {
  const t = useTranslations('access-requests')
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-medium text-table">{t('decision')}</legend>
      <div className="grid gap-2 @min-[30rem]:grid-cols-2">
        {decisions.map((each) => (
          <label
            key={each}
            className="flex cursor-pointer items-start gap-3 rounded-card border border-line-strong bg-surface p-3.5 has-checked:border-brand has-checked:outline-1 has-checked:outline-brand has-focus-visible:outline-2"
          >
            <input
              type="radio"
              name="decision"
              value={each}
              checked={decision === each}
              onChange={() => choose(each)}
              className="mt-1 size-4 shrink-0 accent-brand"
            />
            <span className="grid gap-0.5">
              <span className="font-medium text-table">{t(`decisions.${each}`)}</span>
              <span className="text-ink-second text-note">{t(`decisionHints.${each}`)}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** How many names of people are shown before the rest is a number. */
const namesShown = 8

function WhoAsk({ requests }: { requests: IncomingRequest[] }) {
  const t = useTranslations('access-requests')
  return (
    <section className="grid gap-2" aria-label={t('whoAsks')}>
      <h3 className="font-medium text-table">{t('whoAsks')}</h3>
      <ul className="grid divide-y divide-line rounded-card border border-line text-table">
        {requests.slice(0, namesShown).map((request) => (
          <li key={request.requestId} className="wrap-anywhere grid gap-0.5 px-3.5 py-2">
            <span>{whoOf(request, t)}</span>
            <span className="text-ink-second text-note">{request.requestCompanyName}</span>
            {request.user.enabled ? null : <span className="text-note text-warning">{t('disabled')}</span>}
          </li>
        ))}
        {requests.length > namesShown ? (
          <li className="px-3.5 py-2 text-ink-second">{t('andMore', { count: requests.length - namesShown })}</li>
        ) : null}
      </ul>
    </section>
  )
}
