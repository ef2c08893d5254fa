// An exercise set as a SCORM 2004 package: a zip with the whole page, the set in it, and the manifest that platforms read. The page finds
// the set in a meta element of its document (course_place.ts), and reports to the platform that opened it (scorm.ts).

import {writeZip, type ZipFile} from './zip';

export interface PackageParts {
  title: string;
  /** The set, as it is in a link. */
  fragment: string;
  /** The domains of its exercises; null if they are not known, and then there are the models of all but the cube. */
  domains: readonly string[] | null;
  /** All files of the page by their paths, as files.json lists them. */
  files: readonly string[];
  read: (path: string) => Promise<Uint8Array<ArrayBuffer>>;
}

const document = 'index.html';

export async function writePackage(parts: PackageParts): Promise<Uint8Array<ArrayBuffer>> {
  const names = parts.files.filter((path) => belongs(path, parts.domains)).sort();
  const files: ZipFile[] = [];
  for (const path of names) {
    const content = await parts.read(path);
    files.push({path, content: path === document ? withSet(content, parts.fragment) : content});
  }
  const manifest = new TextEncoder().encode(manifestOf(parts.title, parts.fragment, names));
  return writeZip([{path: 'imsmanifest.xml', content: manifest}, ...files]);
}

/** The platform has the files, so nothing is kept for use without it; of the models, the cube's is larger than all the rest. */
function belongs(path: string, domains: readonly string[] | null): boolean {
  if (path === 'service-worker.js') return false;
  const model = /^models\/(.*)\.safetensors$/.exec(path)?.[1];
  if (model === undefined) return true;
  return domains === null ? model !== 'rubiks-cube' : domains.some((domain) => domain.split(':')[0] === model);
}

function withSet(html: Uint8Array, fragment: string): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(html);
  const meta = `  <meta name="conpole-set" content="${escaped(fragment)}" />\n  </head>`;
  return new TextEncoder().encode(text.replace('</head>', () => meta));
}

function manifestOf(title: string, fragment: string, files: readonly string[]): string {
  const name = escaped(title);
  const list = files.map((path) => `      <file href="${escaped(encodeURI(path))}"/>`).join('\n');
  // Another set is another course, also for a platform that has one already.
  const id = fragment.replace(/[^A-Za-z0-9]/g, '').slice(0, 40);
  return `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="conpole-${id}" version="1"
    xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"
    xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3"
    xmlns:imsss="http://www.imsglobal.org/xsd/imsss">
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>2004 3rd Edition</schemaversion>
  </metadata>
  <organizations default="set">
    <organization identifier="set">
      <title>${name}</title>
      <item identifier="exercises" identifierref="page">
        <title>${name}</title>
        <imsss:sequencing>
          <imsss:deliveryControls completionSetByContent="true" objectiveSetByContent="true"/>
        </imsss:sequencing>
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="page" type="webcontent" adlcp:scormType="sco" href="${document}">
${list}
    </resource>
  </resources>
</manifest>
`;
}

// Without the signs that XML cannot have at all.
function escaped(text: string): string {
  const signs: Record<string, string> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'};
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '').replace(/[&<>"]/g, (sign) => signs[sign] ?? sign);
}
