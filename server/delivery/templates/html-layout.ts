import { escapeHtml } from './escape-html.ts'

/** The content of an HTML e-mail as plain text; it is escaped here. */
interface HtmlContent {
  /** The language of the texts as a canonical tag. */
  readonly locale: string
  /** The title of the document. */
  readonly subject: string
  /** Shown after the subject in an inbox; null for the first words of the message. */
  readonly preheader: string | null
  readonly tenant: string
  readonly heading: string
  /** Line breaks in a text are kept. */
  readonly blocks: readonly Block[]
}

/** A paragraph, or something to enter with its label: a code, or the longer id of an undo code. */
export type Block =
  | { readonly text: string }
  | { readonly code: string; readonly label?: string }
  | { readonly reference: string; readonly label?: string }

const sans =
  "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Hiragino Sans','Yu Gothic',Meiryo,'Noto Sans JP',sans-serif"
const mono = "ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono','Courier New',monospace"

/**
 * Light colours are inline, for clients that remove the style sheet; the style sheet has the dark ones. Text has a
 * contrast of at least 7:1 in both. No colour has four consecutive digits, which could be mistaken for a code.
 */
const styleSheet = `:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:0;-webkit-text-size-adjust:100%;text-size-adjust:100%}
h1,p{overflow-wrap:anywhere;text-wrap:pretty}
h1:lang(ja),p:lang(ja){line-break:strict}
h1:lang(ja){word-break:auto-phrase}
@media (max-width:400px){.edge{padding:0!important}.card{border-width:0 0 1px!important;border-radius:0!important;padding:28px 20px 12px!important}}
@media (prefers-color-scheme:dark){.page{background:#0d0f14!important}.card{background:#1a1d26!important;border-color:#2f3a4a!important}.ink{color:#f1f3f8!important}.soft{color:#b9c0cf!important}.box{background:#262c3a!important}.code{color:#ffffff!important}}
[data-ogsb] .page{background:#0d0f14!important}[data-ogsb] .card{background:#1a1d26!important}[data-ogsb] .box{background:#262c3a!important}
[data-ogsc] .ink{color:#f1f3f8!important}[data-ogsc] .soft{color:#b9c0cf!important}[data-ogsc] .code{color:#ffffff!important}`

/**
 * The layout of every e-mail: tables and inline styles (Outlook renders with Word), no images, links or external
 * resources, from 320 px up. The code is a single text run, so that one click selects it; the gaps between its digits are
 * styled, so that it is copied without spaces. `format-detection` prevents phones from linking it as a telephone number.
 */
export function htmlLayout({ locale, subject, preheader, tenant, heading, blocks }: HtmlContent): string {
  const direction = textDirection(locale)
  const side = direction === 'rtl' ? 'right' : 'left'
  return `<!DOCTYPE html>
<html lang="${escapeHtml(locale)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<meta name="x-apple-disable-message-reformatting">
<title>${escapeHtml(subject)}</title>
<style>
${styleSheet}
</style>
</head>
<body class="page" bgcolor="#f3f4f8" style="margin:0;padding:0;background:#f3f4f8">
${preheader === null ? '' : `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(preheader)}</div>\n`}<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f3f4f8" style="background:#f3f4f8">
<tr><td class="edge" align="center" style="padding:32px 12px">
<!--[if mso]><table role="presentation" width="480" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:480px">
<tr><td class="card" dir="${direction}" align="${side}" bgcolor="#ffffff" style="padding:32px 28px 16px;background:#ffffff;border:1px solid #dde1ea;border-radius:14px;font-family:${sans};text-align:${side}">
<p class="soft" style="margin:0 0 20px;font-size:15px;line-height:22px;font-weight:600;color:#3f4d5c">${escapeHtml(tenant)}</p>
<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:30px;font-weight:700;color:#1b1f2a">${unbroken(escapeHtml(heading))}</h1>
${blocks.map((block, index) => element(block, blocks[index + 1])).join('\n')}
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`
}

const paragraph = (text: string): string =>
  `<p class="ink" style="margin:0 0 16px;font-size:16px;line-height:25px;color:#1b1f2a">${unbroken(escapeHtml(text)).replaceAll('\n', '<br>')}</p>`

/** Keeps `e-mail` on one line; browsers break it after the hyphen. */
const unbroken = (html: string): string => html.replace(/\be-mail\b/gi, '<span style="white-space:nowrap">$&</span>')

function element(block: Block, next: Block | undefined): string {
  if ('text' in block) return paragraph(block.text)
  const value = 'code' in block ? codeOf(block.code) : referenceOf(block.reference)
  const content = block.label === undefined ? value : `${label(block.label)}${value}`
  return box(content, next === undefined || 'text' in next ? 20 : 8)
}

/** @param gap the space below, in pixels */
const box = (content: string, gap: number): string =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 ${gap}px"><tr><td class="box" dir="ltr" align="center" bgcolor="#eef1f7" style="padding:20px 4px;background:#eef1f7;border-radius:10px;text-align:center">${content}</td></tr></table>`

const label = (text: string): string =>
  `<p class="soft" style="margin:0 0 4px;font-size:14px;line-height:20px;font-weight:600;color:#3f4d5c">${escapeHtml(text)}</p>`

const codeOf = (code: string): string =>
  `<span class="code" style="padding-left:3px;font-family:${mono};font-size:32px;line-height:40px;font-weight:700;letter-spacing:3px;white-space:nowrap;color:#0e1a2f;-webkit-user-select:all;user-select:all">${escapeHtml(code)}</span>`

/** May break anywhere, because it is too long for one line on a small screen. */
const referenceOf = (reference: string): string =>
  `<span class="code" style="font-family:${mono};font-size:16px;line-height:24px;font-weight:600;overflow-wrap:anywhere;word-break:break-all;color:#0e1a2f;-webkit-user-select:all;user-select:all">${escapeHtml(reference)}</span>`

const rightToLeft = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa'])

/** The direction of the language's script. */
function textDirection(locale: string): 'ltr' | 'rtl' {
  return rightToLeft.has(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'ltr'
}
