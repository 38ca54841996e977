import { useTranslations } from 'next-intl'
import type { CodeFlow, FlowId } from '@/lib/sign-in/attempts/contract'
import type { MobileCodeState } from '@/lib/sign-in/codes/mobile-code'
import { CodeEntry } from '../../_ui/code-entry'
import type { FormFailure } from '../../_ui/form-failure'
import { type Attempt, AttemptFields } from './attempt-form'
import { OtherFlows } from './other-flows'
import { SigningInAs } from './signing-in-as'

type Props = {
  flow: CodeFlow
  attempt: Attempt
  others: FlowId[]
  back: string
  failed: FormFailure | null
  code: MobileCodeState | null
  codeDigits: number
}

/** Asks for the code from a mail or an SMS. */
export function CodeStep({ flow, attempt, others, back, failed, code, codeDigits }: Props) {
  const t = useTranslations('entry.code')
  return (
    <div className="grid animate-arrive grid-cols-1 gap-6">
      <CodeEntry
        flow={flow}
        code={code}
        codeDigits={codeDigits}
        failed={failed}
        sent={{ first: t(`${flow}.lead`, { count: codeDigits }), again: t(`${flow}.again`) }}
        advice={`${t(`${flow}.advice`)} ${t(`${flow}.nowhere`)}`}
        receiver={<SigningInAs identifier={attempt.identifier} back={back} />}
        fields={<AttemptFields attempt={attempt} flow={flow} />}
        resendForm="flow"
        {...(failed?.failure.kind === 'codeLimit' && { closed: null })}
      />
      <OtherFlows flows={others} attempt={attempt} />
    </div>
  )
}
