<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<qgis version="3.22">
  <pipe><rasterrenderer type="singlebandpseudocolor"><rastershader>
   <colorrampshader colorRampType="DISCRETE" minimumValue="200" maximumValue="2000" clip="0">
     <item alpha="255" value="500" label="a" color="#2b83ba"/>
     <item alpha="255" value="900" label="b" color="#abdda4"/>
     <item alpha="255" value="1300" label="c" color="#ffffbf"/>
     <item alpha="255" value="inf" label="d" color="#d7191c"/>
   </colorrampshader></rastershader></rasterrenderer></pipe>
</qgis>
