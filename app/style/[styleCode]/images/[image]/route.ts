import { immutableResponse } from '@/lib/base/http/immutable-response'
import { styleImage } from '@/lib/site/domains/style-templates'

type Parameters = { params: Promise<{ styleCode: string; image: string }> }

export async function GET(request: Request, { params }: Parameters) {
  const { styleCode, image } = await params
  const [, name] = /^(logo|miniLogo)\.svg$/.exec(image) ?? []
  if (name !== 'logo' && name !== 'miniLogo') return new Response(null, { status: 404 })
  // a picture opened directly is a document: its policy allows nothing
  const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
  return immutableResponse(request, styleImage(styleCode, name), 'image/svg+xml', { 'content-security-policy': policy })
}
