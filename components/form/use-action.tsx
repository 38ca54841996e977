'use client'

import { Eye, type LucideIcon, Pencil, Power, PowerOff, SquareArrowOutUpRight, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { showNotice, snackbar } from '../ui/snackbar'
import { useLater } from '../ui/use-later'
import { type Action, isDangerous, loaded, type Question, type Sent, type Step, sends } from './actions'
import { useWriter } from './use-write'

type Offer = { label: string; Icon: LucideIcon; tone?: 'danger'; unavailable?: string; step: Step }

const load = () => import('./begun').then(({ Begun }) => Begun)

type Words = (key: 'view' | 'openCard' | 'edit' | 'delete' | 'enable' | 'disable') => string

function stepOf(action: Action, words: Words): { label: string; Icon: LucideIcon; step: Step } {
  switch (action.kind) {
    case 'view':
      return { label: words('view'), Icon: Eye, step: { kind: 'view', shown: action, body: action.body } }
    case 'edit':
      return {
        label: words('edit'),
        Icon: Pencil,
        step: { kind: 'dialog', shown: action, size: action.size, body: action.form },
      }
    case 'remove': {
      const { contract, id, title, text = '', blocked } = action
      const verb = words('delete')
      const sent = sends(contract, { params: { id } })
      const ask: Question = { title, text, tone: 'danger' }
      const step: Step = blocked ? { kind: 'view', shown: blocked, size: 'S' } : { kind: 'confirm', ask, verb, sent }
      return { label: verb, Icon: Trash2, step }
    }
    case 'toggle': {
      const { contract, id, updatedAt, ask } = action
      const enabled = !action.enabled
      const verb = words(enabled ? 'enable' : 'disable')
      const sent = sends(
        contract,
        { params: { id }, body: { enabled, updatedAt } },
        { params: { enabled: String(enabled) } },
      )
      const question = enabled ? ask.on : ask.off
      const tone = question?.tone ?? (enabled ? 'primary' : 'danger')
      const step: Step = question ? { kind: 'confirm', ask: { ...question, tone }, verb, sent } : { kind: 'call', sent }
      return { label: verb, Icon: enabled ? Power : PowerOff, step }
    }
    case 'link':
      return { label: action.label, Icon: action.icon, step: { kind: 'link', href: action.href } }
    case 'card':
      return { label: words('openCard'), Icon: SquareArrowOutUpRight, step: { kind: 'link', href: action.href } }
    case 'dialog': {
      const { label, icon, size, body } = action
      return { label, Icon: icon, step: { kind: 'dialog', shown: action, size, body } }
    }
    case 'confirm': {
      const { label, icon, ask, verb = label, sends: sent, tone } = action
      return { label, Icon: icon, step: { kind: 'confirm', ask: { tone, ...ask }, verb, sent } }
    }
    case 'call':
      return { label: action.label, Icon: action.icon, step: { kind: 'call', sent: action.sends } }
  }
}

/**
 * Returns the labels of actions, and the dialog of the started action: `offerOf` returns the label, `begin` starts the
 * action, `dialog` must be rendered outside of any menu. The question keeps the data with which it was opened, so that
 * a later render of the page can't change what the person confirms.
 */
export function useActions() {
  const t = useTranslations('ui')
  const { write, pending, reason, failureTitle } = useWriter()
  const [begun, setBegun] = useState<Step | null>(null)
  const [open, setOpen] = useState(false)
  const { Part: Begun, ask } = useLater(load)
  const close = () => setOpen(false)

  const offerOf = (action: Action): Offer => ({
    ...stepOf(action, t),
    tone: isDangerous(action) ? 'danger' : undefined,
    unavailable: action.unavailable,
  })
  const sendNow = async ({ contract, input, params, onDone, leaves, send }: Sent, failure: 'notice' | 'inside') => {
    const loadedContract = await loaded(contract)
    const outcome = await write(loadedContract, input as never, { params, failure, send, leaves })
    if (outcome?.ok) onDone?.(outcome.output as never)
    if (outcome?.ok !== false) return undefined
    if (failure === 'notice') return undefined
    // the page shows the new state now, so the question no longer applies
    if (outcome.error.code === 'conflict') {
      void showNotice({ type: 'error', title: failureTitle(loadedContract, params), text: t('changedMeanwhile') })
      return undefined
    }
    return reason(outcome.error)
  }
  const begin = ({ step, unavailable }: Offer) => {
    if (unavailable || step.kind === 'link') return
    if (step.kind === 'call') {
      sendNow(step.sent, 'notice').catch(() => snackbar.error(t('failed')))
      return
    }
    setBegun(step)
    setOpen(true)
    ask()
  }
  return {
    offerOf,
    begin,
    pending,
    dialog: begun && Begun ? <Begun step={begun} open={open} onClose={close} send={sendNow} /> : null,
  }
}
