<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Window</name>
    <message numerus="yes">
        <source>%1, on %n wafer(s)</source>
        <translation>
            <numerusform>%1, on one wafer</numerusform>
            <numerusform>%1, on %n wafers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s), %1</source>
        <translation>
            <numerusform>%n thread, %1</numerusform>
            <numerusform>%n threads, %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::editor::GhostAnnouncer</name>
    <message numerus="yes">
        <source>Suggestion: %1 and %n more line(s)</source>
        <translation>
            <numerusform>Suggestion: %1 and one more line</numerusform>
            <numerusform>Suggestion: %1 and %n more lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::ActionBulb</name>
    <message numerus="yes">
        <source>%n fix(es) for this line (Ctrl+.)</source>
        <translation>
            <numerusform>%n fix for this line (Ctrl+.)</numerusform>
            <numerusform>%n fixes for this line (Ctrl+.)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::AgentChanges</name>
    <message numerus="yes">
        <source>%n file(s) changed</source>
        <translation>
            <numerusform>%n file changed</numerusform>
            <numerusform>%n files changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) with changes on offer</source>
        <translation>
            <numerusform>%n file with changes on offer</numerusform>
            <numerusform>%n files with changes on offer</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::AgentWork</name>
    <message numerus="yes">
        <source>%n earlier step(s)</source>
        <translation>
            <numerusform>%n earlier step</numerusform>
            <numerusform>%n earlier steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::BranchStatus</name>
    <message numerus="yes">
        <source>%n commit(s) ahead of %1</source>
        <translation>
            <numerusform>%n commit ahead of %1</numerusform>
            <numerusform>%n commits ahead of %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n commit(s) behind %1</source>
        <translation>
            <numerusform>%n commit behind %1</numerusform>
            <numerusform>%n commits behind %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::ChangesPanel</name>
    <message numerus="yes">
        <source>%n more file(s)</source>
        <translation>
            <numerusform>%n more file</numerusform>
            <numerusform>%n more files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::ComparisonHeader</name>
    <message numerus="yes">
        <source>%n change(s)</source>
        <translation>
            <numerusform>%n change</numerusform>
            <numerusform>%n changes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n change(s)</source>
        <translation>
            <numerusform>%1 of %n change</numerusform>
            <numerusform>%1 of %n changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::DiagnosticStatus</name>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n error</numerusform>
            <numerusform>%n errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::Document</name>
    <message numerus="yes">
        <source>%1 is UTF-8, but for %n byte(s), the first in line %2: shown as marks, and saved as they are.</source>
        <translation>
            <numerusform>%1 is UTF-8, but for %n byte, in line %2: shown as a mark, and saved as it is.</numerusform>
            <numerusform>%1 is UTF-8, but for %n bytes, the first in line %2: shown as marks, and saved as they are.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::FileBlame</name>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n minute</numerusform>
            <numerusform>%n minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour(s)</source>
        <translation>
            <numerusform>%n hour</numerusform>
            <numerusform>%n hours</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n day(s)</source>
        <translation>
            <numerusform>%n day</numerusform>
            <numerusform>%n days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n month(s)</source>
        <translation>
            <numerusform>%n month</numerusform>
            <numerusform>%n months</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n year(s)</source>
        <translation>
            <numerusform>%n year</numerusform>
            <numerusform>%n years</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::FindBar</name>
    <message numerus="yes">
        <source>%Ln+ match(es)</source>
        <translation>
            <numerusform>%Ln+ match</numerusform>
            <numerusform>%Ln+ matches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln match(es)</source>
        <translation>
            <numerusform>%Ln match</numerusform>
            <numerusform>%Ln matches</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::HunkActions</name>
    <message numerus="yes">
        <source>%n change(s) staged</source>
        <translation>
            <numerusform>%n change staged</numerusform>
            <numerusform>%n changes staged</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n change(s) unstaged</source>
        <translation>
            <numerusform>%n change unstaged</numerusform>
            <numerusform>%n changes unstaged</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n change(s) taken back</source>
        <translation>
            <numerusform>%n change taken back</numerusform>
            <numerusform>%n changes taken back</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::HunkPeek</name>
    <message numerus="yes">
        <source>%n line(s) added</source>
        <translation>
            <numerusform>%n line added</numerusform>
            <numerusform>%n lines added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) removed</source>
        <translation>
            <numerusform>%n line removed</numerusform>
            <numerusform>%n lines removed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) changed</source>
        <translation>
            <numerusform>%n line changed</numerusform>
            <numerusform>%n lines changed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::ImageView</name>
    <message numerus="yes">
        <source>the first of %n frame(s)</source>
        <translation>
            <numerusform>the first of %n frame</numerusform>
            <numerusform>the first of %n frames</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::MergeBar</name>
    <message numerus="yes">
        <source>%n conflict(s)</source>
        <translation>
            <numerusform>%n conflict</numerusform>
            <numerusform>%n conflicts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n conflict(s): %2 and %3</source>
        <translation>
            <numerusform>%1 of %n conflict: %2 and %3</numerusform>
            <numerusform>%1 of %n conflicts: %2 and %3</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::OperationBar</name>
    <message numerus="yes">
        <source>%n file(s) in conflict</source>
        <translation>
            <numerusform>%n file in conflict</numerusform>
            <numerusform>%n files in conflict</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::ProjectFeed</name>
    <message numerus="yes">
        <source>%Ln file(s)</source>
        <translation>
            <numerusform>%Ln file</numerusform>
            <numerusform>%Ln files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::RelationsPanel</name>
    <message numerus="yes">
        <source>: %n place(s)</source>
        <translation>
            <numerusform>: %n place</numerusform>
            <numerusform>: %n places</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n time(s)</source>
        <translation>
            <numerusform>%n time</numerusform>
            <numerusform>%n times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::RenameReach</name>
    <message numerus="yes">
        <source>Nothing was renamed yet. “%1” also stands in %n other file(s), which would stay as they are: %2.</source>
        <translation>
            <numerusform>Nothing was renamed yet. “%1” also stands in one other file, which would stay as it is: %2.</numerusform>
            <numerusform>Nothing was renamed yet. “%1” also stands in %n other files, which would stay as they are: %2.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::RuntimeProcess</name>
    <message numerus="yes">
        <source>It was started again %n time(s).</source>
        <translation>
            <numerusform>It was started again once.</numerusform>
            <numerusform>It was started again %n times.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::SaveFlow</name>
    <message numerus="yes">
        <source>Save the changes to these %n file(s)?</source>
        <translation>
            <numerusform>Save the changes to this file?</numerusform>
            <numerusform>Save the changes to these %n files?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::StartGate</name>
    <message numerus="yes">
        <source>(%n line(s))</source>
        <translation>
            <numerusform>(%n line)</numerusform>
            <numerusform>(%n lines)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) changed since you agreed to it (▸).</source>
        <translation>
            <numerusform>%n line changed since you agreed to it (▸).</numerusform>
            <numerusform>%n lines changed since you agreed to it (▸).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) of what you agreed to are there no more.</source>
        <translation>
            <numerusform>%n line of what you agreed to is there no more.</numerusform>
            <numerusform>%n lines of what you agreed to are there no more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::StatusLine</name>
    <message numerus="yes">
        <source>%n caret(s)</source>
        <translation>
            <numerusform>%n caret</numerusform>
            <numerusform>%n carets</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::TaskRunner</name>
    <message numerus="yes">
        <source>%n second(s)</source>
        <translation>
            <numerusform>%n second</numerusform>
            <numerusform>%n seconds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::TaskStatus</name>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n error</numerusform>
            <numerusform>%n errors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::TerminalPanel</name>
    <message numerus="yes">
        <source>%n program(s) run in terminals: %1.</source>
        <translation>
            <numerusform>A program runs in a terminal: %1.</numerusform>
            <numerusform>%n programs run in terminals: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Paste %n line(s)? Each would be run at once:</source>
        <translation>
            <numerusform>Paste %n line? It would be run at once:</numerusform>
            <numerusform>Paste %n lines? Each would be run at once:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::TestStatus</name>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n failed</numerusform>
            <numerusform>%n failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n passed</source>
        <translation>
            <numerusform>%n passed</numerusform>
            <numerusform>%n passed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::TokenWindow</name>
    <message numerus="yes">
        <source>Step of %n row(s) at position %L1.</source>
        <translation>
            <numerusform>Step of one row at position %L1.</numerusform>
            <numerusform>Step of %n rows at position %L1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::gui::WorkspaceChanges</name>
    <message numerus="yes">
        <source>%n file(s) have other names now.</source>
        <translation>
            <numerusform>%n file has another name now.</numerusform>
            <numerusform>%n files have other names now.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>waferpair::view::ModelCard</name>
    <message numerus="yes">
        <source>on %n wafer(s)</source>
        <translation>
            <numerusform>on one wafer</numerusform>
            <numerusform>on %n wafers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>loading %1 over %n link(s): %2, emulated</source>
        <translation>
            <numerusform>loading %1 over %n link: %2, emulated</numerusform>
            <numerusform>loading %1 over %n links: %2, emulated</numerusform>
        </translation>
    </message>
</context>
</TS>
