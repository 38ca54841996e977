'use client'

import { Eye, type LucideIcon, Pencil, Power, PowerOff, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { Dialog, DialogBody, DialogCancel, DialogFooter } from '../ui/dialog'
import { showNotice } from '../ui/snackbar'
import { type Action, isDangerous, type Question, type Sent, sends } from './actions'
import { useWriter } from './use-write'

type Shown = { title: string; text?: string }
/** The parts of an action. */
type Step =
  | { kind: 'told'; shown: Shown; body?: ReactNode; size?: 'S' }
  | { kind: 'dialog'; shown: Shown; size?: 'S' | 'M' | 'L'; body: (done: () => void) => ReactNode }
  | { kind: 'asked'; ask: Question; verb: string; sent: Sent }
  | { kind: 'sent'; sent: Sent }
  | { kind: 'link'; href: string }

type Offer = { label: string; Icon: LucideIcon; tone?: 'danger'; unavailable?: string; step: Step }

type Words = (key: 'view' | 'edit' | 'delete' | 'enable' | 'disable') => string

function stepOf(action: Action, words: Words): { label: string; Icon: LucideIcon; step: Step } {
  switch (action.kind) {
    case 'view':
      return { label: words('view'), Icon: Eye, step: { kind: 'told', shown: action, body: action.body } }
    case 'edit':
      return { label: words('edit'), Icon: Pencil, step: { kind: 'dialog', shown: action, body: action.form } }
    case 'remove': {
      const { contract, id, title, text = '', kept } = action
      const verb = words('delete')
      const sent = sends(contract, { params: { id } })
      const ask: Question = { title, text, tone: 'danger' }
      const step: Step = kept ? { kind: 'told', shown: kept, size: 'S' } : { kind: 'asked', ask, verb, sent }
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
      const step: Step = question ? { kind: 'asked', ask: { ...question, tone }, verb, sent } : { kind: 'sent', sent }
      return { label: verb, Icon: enabled ? Power : PowerOff, step }
    }
    case 'link':
      return { label: action.label, Icon: action.icon, step: { kind: 'link', href: action.href } }
    case 'dialog': {
      const { label, icon, size, body } = action
      return { label, Icon: icon, step: { kind: 'dialog', shown: action, size, body } }
    }
    case 'confirm': {
      const { label, icon, ask, verb = label, sends: sent, tone } = action
      return { label, Icon: icon, step: { kind: 'asked', ask: { tone, ...ask }, verb, sent } }
    }
    case 'call':
      return { label: action.label, Icon: action.icon, step: { kind: 'sent', sent: action.sends } }
  }
}

/**
 * Labels of actions, and the dialog of the action that was started: `offerOf` returns the label, `begin` starts the
 * action, `dialog` must be rendered outside of any menu. The question keeps the data from when it was opened, so that
 * nobody confirms the opposite because the page was rendered again.
 */
export function useActions() {
  const t = useTranslations('ui')
  const { write, pending, reason, failureTitle } = useWriter()
  const [begun, setBegun] = useState<Step | null>(null)
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)

  const offerOf = (action: Action): Offer => ({
    ...stepOf(action, t),
    tone: isDangerous(action) ? 'danger' : undefined,
    unavailable: action.unavailable,
  })
  const sendNow = async ({ contract, input, params, onDone, send }: Sent, failure: 'notice' | 'inside') => {
    const outcome = await write(contract, input as never, { params, failure, send })
    if (outcome?.ok) onDone?.(outcome.output as never)
    if (outcome?.ok !== false) return undefined
    if (failure === 'notice') return undefined
    // the page shows the new state now, so the question doesn't apply any more
    if (outcome.error.code === 'conflict') {
      void showNotice({ type: 'error', title: failureTitle(contract, params), text: t('changedMeanwhile') })
      return undefined
    }
    return reason(outcome.error)
  }
  const begin = ({ step, unavailable }: Offer) => {
    if (unavailable || step.kind === 'link') return
    if (step.kind === 'sent') {
      void sendNow(step.sent, 'notice')
      return
    }
    setBegun(step)
    setOpen(true)
  }
  return {
    offerOf,
    begin,
    pending,
    dialog: begun ? <Begun step={begun} open={open} onClose={close} send={sendNow} /> : null,
  }
}

type BegunProps = {
  step: Step
  open: boolean
  onClose: () => void
  send: (sent: Sent, failure: 'inside') => Promise<string | undefined>
}

function Begun({ step, open, onClose, send }: BegunProps) {
  const t = useTranslations('ui')
  switch (step.kind) {
    case 'told': {
      const { shown, body, size } = step
      return (
        <Dialog open={open} onOpenChange={onClose} size={size} title={shown.title}>
          <DialogBody label={shown.title} className="grid content-start gap-3">
            {shown.text ? <p>{shown.text}</p> : null}
            {body}
          </DialogBody>
          <DialogFooter>
            <DialogCancel>{t('close')}</DialogCancel>
          </DialogFooter>
        </Dialog>
      )
    }
    case 'dialog':
      return (
        <Dialog open={open} onOpenChange={onClose} size={step.size} title={step.shown.title} text={step.shown.text}>
          {step.body(onClose)}
        </Dialog>
      )
    case 'asked':
      return (
        <ConfirmDialog
          open={open}
          onOpenChange={onClose}
          title={step.ask.title}
          text={step.ask.text}
          tone={step.ask.tone ?? 'primary'}
          confirm={step.verb}
          onConfirm={() => send(step.sent, 'inside')}
        />
      )
    default:
      return null
  }
}
