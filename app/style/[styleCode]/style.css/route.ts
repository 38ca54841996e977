import { immutableResponse } from '@/lib/base/http/immutable-response'
import { styleSheet } from '@/lib/site/domains/style-templates'

type Parameters = { params: Promise<{ styleCode: string }> }

export async function GET(request: Request, { params }: Parameters) {
  const { styleCode } = await params
  return immutableResponse(request, styleSheet(styleCode), 'text/css; charset=utf-8')
}
